//! Between binary and JSON form, line by line, for the tests of clients/conformance.
//!
//! Every message goes through the types that bots use: what those do not know is lost on the way.

use std::error::Error;
use std::io::{self, BufRead, Write};

use arena_client::prost::Message;
use arena_client::v1::{PlayRequest, PlayResponse};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};

const DESCRIPTORS: &[u8] = include_bytes!("descriptors.binpb");

/// Returns a message in its other form.
fn answer(pool: &DescriptorPool, line: &str) -> Result<String, Box<dyn Error>> {
    let mut words = line.splitn(3, ' ');
    let (Some(form), Some(name), Some(content)) = (words.next(), words.next(), words.next()) else {
        return Err("a line is FORM TYPE CONTENT".into());
    };
    let descriptor = pool
        .get_message_by_name(&format!("arena.v1.{name}"))
        .ok_or_else(|| format!("there is no message {name:?}"))?;
    match form {
        "binary" => {
            let content = typed(name, &STANDARD.decode(content)?)?;
            Ok(serde_json::to_string(&DynamicMessage::decode(descriptor, &content[..])?)?)
        }
        "json" => Ok(STANDARD.encode(typed(name, &read_json(descriptor, content)?)?)),
        _ => Err(format!("there is no form {form:?}").into()),
    }
}

fn read_json(descriptor: MessageDescriptor, text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let message = DynamicMessage::deserialize(descriptor, &mut reader)?;
    reader.end()?;
    Ok(message.encode_to_vec())
}

/// Returns a message as the type of that name writes it.
fn typed(name: &str, content: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    match name {
        "PlayRequest" => Ok(PlayRequest::decode(content)?.encode_to_vec()),
        "PlayResponse" => Ok(PlayResponse::decode(content)?.encode_to_vec()),
        _ => Err(format!("there is no type {name:?}").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let pool = DescriptorPool::decode(DESCRIPTORS)?;
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        match answer(&pool, &line?) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(error) => writeln!(out, "error {}", error.to_string().replace('\n', " "))?,
        }
        out.flush()?;
    }
    Ok(())
}
