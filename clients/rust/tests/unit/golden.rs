//! The messages that all SDKs must read and write alike.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};

use crate::v1::play_response::Message as Said;
use crate::v1::{PlayRequest, PlayResponse};
use crate::{AnyObservation, Decision, Match};

fn golden(name: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/golden");
    fs::read(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Each message is read from its binary form and written again unchanged, and is the same in JSON.
#[test]
fn messages_are_read_and_written_alike() {
    let pool = DescriptorPool::decode(&include_bytes!("../../conformance/descriptors.binpb")[..]);
    let pool = pool.unwrap();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/golden");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (text, content) =
            (fs::read_to_string(&path).unwrap(), golden(&format!("{name}.binpb")));
        let is_request = ["hello", "answers", "leave"].iter().any(|kind| name.starts_with(kind));
        let (kind, written) = if is_request {
            ("PlayRequest", PlayRequest::decode(&content[..]).unwrap().encode_to_vec())
        } else {
            ("PlayResponse", PlayResponse::decode(&content[..]).unwrap().encode_to_vec())
        };
        assert_eq!(written, content, "{name}");
        let descriptor = pool.get_message_by_name(&format!("arena.v1.{kind}")).unwrap();
        let mut reader = serde_json::Deserializer::from_str(&text);
        let in_json = DynamicMessage::deserialize(descriptor, &mut reader).unwrap();
        assert_eq!(in_json.encode_to_vec(), content, "{name}");
        count += 1;
    }
    assert!(count >= 9, "only {count} messages");
}

/// All decisions of both games can be looked at, and every legal move is found by itself.
#[test]
fn decisions_can_be_looked_at() {
    for game in ["byzanz", "schwarzmarkt"] {
        let read = |what: &str| {
            PlayResponse::decode(&golden(&format!("{game}-{what}.binpb"))[..]).unwrap().message
        };
        let Some(Said::MatchStarted(started)) = read("match-started") else { panic!("{game}") };
        let Some(Said::Decisions(asked)) = read("decisions") else { panic!("{game}") };
        let game_match: Arc<Match> = Arc::new(Match::new(started));
        assert!(!asked.decisions.is_empty());
        for message in asked.decisions {
            let decision = Decision::new(Arc::clone(&game_match), message);
            assert_eq!(decision.legal_moves().len(), decision.legal_count());
            for (place, legal) in decision.legal_moves().iter().enumerate() {
                assert_eq!(decision.index_of(&legal.into()).unwrap(), place);
                assert!(!legal.to_string().contains("unknown"), "{legal}");
            }
            assert!(!matches!(decision.observation(), AnyObservation::Other));
        }
    }
}
