//! What bots see of matches and decisions.

use std::sync::Arc;
use std::time::Duration;

use super::messages::{BUTTER, FLOUR, POTATOES, decision, started};
use crate::byzanz::{self, Kind, TRADER, UNKNOWN, cards};
use crate::schwarzmarkt::{self, Effect, Good, wanted};
use crate::v1;
use crate::v1::decision::Game;
use crate::{
    AnyGame, AnyMaterial, AnyMove, AnyObservation, Choice, Decision, Fault, Match, Outcome,
};

/// Seat, names, options and time control are read from the message.
#[test]
fn a_match_tells_how_it_starts() {
    let game_match: Match = Match::new(started("m", "byzanz"));
    assert_eq!((game_match.id(), game_match.game(), game_match.seat()), ("m", "byzanz", 1));
    assert_eq!(game_match.max_faults(), 3);
    assert_eq!(game_match.seats()[0].bot, "other");
    assert_eq!(game_match.options()["deck"], "uneven");
    assert_eq!(game_match.move_time(), Some(Duration::from_millis(500)));
    assert_eq!(game_match.bank(), Some(Duration::from_secs(10)));
    assert_eq!(format!("{game_match:?}"), "<byzanz match m, seat 1 of 2>");
    let bare: Match = Match::new(v1::MatchStarted::default());
    assert!(bare.options().is_empty());
    assert_eq!((bare.move_time(), bare.max_faults()), (None, 0));
}

/// The same seed gives the same numbers, another one others, and every draw goes on.
#[test]
fn randomness_repeats() {
    let draw = |seed: u8| {
        let mut message = started("m", "byzanz");
        message.bot_seed[31] = seed;
        let game_match: Match = Match::new(message);
        [game_match.rng().next_u64(), game_match.rng().next_u64()]
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    assert_ne!(draw(1)[0], draw(1)[1]);
}

/// Scores, ranks and forfeits are those of the message; a void match has none.
#[test]
fn an_outcome_tells_how_it_ended() {
    let game_match: Arc<Match> = Arc::new(Match::new(started("m", "byzanz")));
    let message = v1::MatchEnded {
        scores: vec![-3, 9],
        ranks: vec![2, 1],
        forfeits: vec![8, 77],
        ..v1::MatchEnded::default()
    };
    let outcome = Outcome::new(Arc::clone(&game_match), message);
    assert_eq!((outcome.score(), outcome.rank(), outcome.is_void()), (Some(9), Some(1), false));
    assert_eq!(outcome.forfeits(), [Some(Fault::NoStart), Some(Fault::Unknown)]);
    let void_reason = "power cut".to_owned();
    let void = Outcome::new(game_match, v1::MatchEnded { void_reason, ..Default::default() });
    assert_eq!((void.score(), void.rank(), void.is_void()), (None, None, true));
    assert_eq!(format!("{void:?}"), "<match m is void: power cut>");
}

/// For a game without helpers there are moves by index, and times.
#[test]
fn an_unknown_game_can_be_played_by_index() {
    let message =
        v1::Decision { legal_count: 3, bank: decision("m", 1).bank, ..Default::default() };
    let game_match: Arc<Match> = Arc::new(Match::new(started("m", "chess")));
    let question = Decision::new(game_match, message);
    let texts: Vec<String> = question.legal_moves().iter().map(AnyMove::to_string).collect();
    assert_eq!(texts, ["0", "1", "2"]);
    assert_eq!(question.index_of(&(&question.legal_moves()[2]).into()).unwrap(), 2);
    assert_eq!((question.move_time(), question.bank()), (None, Some(Duration::from_secs(7))));
    assert!(matches!(question.observation(), AnyObservation::Other));
    assert!(matches!(question.game_match().material(), AnyMaterial::Other));
}

/// A bot of any game sees the games that the library knows as bots of these do.
#[test]
fn a_bot_of_any_game_sees_known_games() {
    let game_match: Arc<Match<AnyGame>> = Arc::new(Match::new(started("m", "byzanz")));
    let question = Decision::new(game_match, decision("m", 1));
    assert_eq!(question.legal_moves()[2].to_string(), "bid spice-2 wine-1");
    let AnyObservation::Byzanz(seen) = question.observation() else { panic!("not of Byzanz") };
    assert_eq!(seen.hand, cards("spice-2 wine-1").unwrap());
}

/// Moves are equal by what they do, not by their place; one that is not legal any more is refused.
#[test]
fn a_move_kept_from_an_earlier_decision_counts_if_it_is_legal() {
    let game_match = Arc::new(byzanz::Match::new(started("m", "byzanz")));
    let before = byzanz::Decision::new(Arc::clone(&game_match), decision("m", 1));
    let mut message = decision("m", 2);
    if let Some(Game::Byzanz(asked)) = &mut message.game {
        asked.legal_moves.remove(1);
    }
    message.legal_count = 2;
    let now = byzanz::Decision::new(game_match, message);
    assert_eq!(now.index_of(&Choice::from(&before.legal_moves()[2])).unwrap(), 1);
    assert_eq!(now.legal_moves()[1], before.legal_moves()[2]);
    let error = now.index_of(&Choice::from(&before.legal_moves()[1])).unwrap_err();
    assert!(error.to_string().starts_with("decide() returned <1: bid wine-1>, which"));
}

/// At most 40 legal moves are listed.
#[test]
fn a_refusal_is_not_endless() {
    let game_match: Arc<Match> = Arc::new(Match::new(started("m", "chess")));
    let message = v1::Decision { legal_count: 45, ..Default::default() };
    let text = Decision::new(game_match, message).index_of(&45.into()).unwrap_err().to_string();
    assert!(text.contains("\n  39: 39\n  ... and 5 more\n"), "{text}");
}

/// The 24 goods and the trader are numbered as in the protocol; what is beyond is unknown.
#[test]
fn cards_have_kind_value_and_name() {
    let names: Vec<&str> = byzanz::Card::all().map(byzanz::Card::name).collect();
    assert_eq!(names[..5], ["cloth-1", "cloth-2", "cloth-3", "cloth-4", "spice-1"]);
    assert_eq!(names[23..], ["olives-4", "trader"]);
    let wine: byzanz::Card = "wine-3".parse().unwrap();
    assert_eq!((wine.kind(), wine.value(), wine.number()), (Some(Kind::Wine), 3, 11));
    assert_eq!((TRADER.kind(), TRADER.value()), (Some(Kind::Trader), 0));
    for number in [-1, 0, 26, 99, i32::MAX] {
        assert_eq!(byzanz::Card::from_number(number), UNKNOWN);
    }
    assert_eq!((UNKNOWN.kind(), UNKNOWN.value(), UNKNOWN.name()), (None, 0, "unknown"));
    for card in byzanz::Card::all() {
        let kind = card.kind().unwrap().to_string();
        assert!(card.name().starts_with(&kind));
        assert!(card == TRADER || card.name().ends_with(&card.value().to_string()));
    }
    assert!(cards("wine-5").unwrap_err().to_string().contains("wine-5"));
}

/// Values add up, sales score their best card, kinds can be told apart, and cards counted.
#[test]
fn groups_of_cards_are_counted_and_valued() {
    let group = cards("cloth-1 cloth-4 trader").unwrap();
    assert_eq!(byzanz::value(&group), 5);
    assert_eq!(byzanz::sale_points(&group), 4);
    assert_eq!(byzanz::sale_points(&[TRADER; 3]), 5);
    assert_eq!(byzanz::of_kind(&group, Kind::Cloth), group[..2]);
    let by_kind = [(Kind::Cloth, group[..2].to_vec()), (Kind::Trader, vec![TRADER])];
    assert_eq!(byzanz::by_kind(group.iter().copied()), by_kind);
    let left = &byzanz::counts(&[&group, &group]) - &byzanz::counts(&[&group[..1]]);
    assert_eq!((left[group[0]], left[group[1]], left[UNKNOWN], left.total()), (1, 2, 0, 5));
    let none = &left - &byzanz::counts(&[&group, &group, &group]);
    assert_eq!((none.total(), none.elements().count()), (0, 0));
}

/// The text of a move of Byzanz is that of the rules.
#[test]
fn moves_of_byzanz_read_as_in_the_rules() {
    let cases: [(i32, &[i32], i32, &str); 10] = [
        (1, &[], 0, "pass"),
        (2, &[6, 9], 0, "bid spice-2 wine-1"),
        (3, &[13], 0, "give wood-1"),
        (4, &[], 4, "take wood"),
        (4, &[], 7, "take trader"),
        (4, &[], 99, "take unknown"),
        (5, &[1, 4, 25], 0, "sell cloth-1 cloth-4 trader"),
        (6, &[17], 0, "discard grain-1"),
        (7, &[], 0, "done"),
        (99, &[99], 0, "unknown unknown"),
    ];
    let legal = |&(r#type, cards, kind, _): &(i32, &[i32], i32, &str)| v1::ByzanzMove {
        r#type,
        cards: cards.to_vec(),
        kind,
    };
    let asked =
        v1::ByzanzDecision { legal_moves: cases.iter().map(legal).collect(), ..Default::default() };
    let message = v1::Decision { game: Some(Game::Byzanz(asked)), ..Default::default() };
    let game_match = Arc::new(byzanz::Match::new(started("m", "byzanz")));
    let question = byzanz::Decision::new(game_match, message);
    let texts: Vec<String> = question.legal_moves().iter().map(byzanz::Move::text).collect();
    assert_eq!(texts, cases.map(|case| case.3));
    assert_eq!(question.observation(), &byzanz::Observation::default());
    assert_eq!(question.observation().own().number, 0);
    assert_eq!(question.observation().others().count(), 0);
}

/// Moves by type, the hand and the seats come out of the message.
#[test]
fn a_decision_of_byzanz_shows_moves_and_table() {
    let game_match = Arc::new(byzanz::Match::new(started("m", "byzanz")));
    let question = byzanz::Decision::new(game_match, decision("m", 1));
    let bids: Vec<(usize, u32)> =
        question.moves_of(&[byzanz::MoveType::Bid]).map(|bid| (bid.index, bid.value())).collect();
    assert_eq!(bids, [(1, 1), (2, 3)]);
    let seen = question.observation();
    assert_eq!(seen.hand, cards("spice-2 wine-1").unwrap());
    assert_eq!((seen.leader, seen.first_passer), (None, None));
    assert_eq!(seen.own().number, 1);
    assert_eq!(seen.others().map(|seat| seat.number).collect::<Vec<_>>(), [0]);
    assert_eq!((question.events().len(), question.rounds_left()), (1, 0));
}

fn question(
    moves: Vec<v1::SchwarzmarktMove>,
    seen: v1::SchwarzmarktObservation,
) -> schwarzmarkt::Decision {
    let asked = v1::SchwarzmarktDecision {
        observation: Some(seen),
        legal_moves: moves,
        events: Vec::new(),
    };
    let message = v1::Decision { game: Some(Game::Schwarzmarkt(asked)), ..Default::default() };
    let game_match = schwarzmarkt::Match::new(started("m", "schwarzmarkt"));
    schwarzmarkt::Decision::new(Arc::new(game_match), message)
}

/// Type, card, target, goods and spaces of a move, and its text.
type Written<'a> = (i32, Option<u32>, Option<u32>, &'a [i32], u32, &'a str);

/// The text of a move of Schwarzmarkt is that of the rules.
#[test]
fn moves_of_schwarzmarkt_read_as_in_the_rules() {
    let cases: [Written; 11] = [
        (1, Some(0), None, &[], 0, "play offer:potatoes-2,butter-2"),
        (1, Some(1), Some(0), &[], 0, "play old_debt 0"),
        (1, Some(2), None, &[3, 5], 0, "play foraging sugar flour"),
        (1, Some(77), None, &[], 0, "play unknown"),
        (2, None, None, &[1], 0, "find potatoes"),
        (3, Some(1), None, &[], 0, "bury old_debt"),
        (4, None, None, &[1, 2], 0, "trade potatoes butter"),
        (5, None, None, &[], 4, "step 4"),
        (6, None, None, &[], 0, "hold"),
        (7, None, None, &[4], 0, "return coffee"),
        (99, None, None, &[99], 0, "unknown unknown"),
    ];
    let legal = cases.map(|(r#type, card, target, goods, spaces, _)| v1::SchwarzmarktMove {
        r#type,
        card,
        target,
        goods: goods.to_vec(),
        spaces,
    });
    let asked = question(legal.to_vec(), Default::default());
    let texts: Vec<String> = asked.legal_moves().iter().map(schwarzmarkt::Move::text).collect();
    assert_eq!(texts, cases.map(|case| case.5));
    let steps: Vec<usize> =
        asked.moves_of(&[schwarzmarkt::MoveType::Step]).map(|step| step.index).collect();
    assert_eq!(steps, [7]);
}

/// The cards of the observation are those of the material.
#[test]
fn a_decision_of_schwarzmarkt_shows_offer_price_and_seats() {
    let known = v1::SchwarzmarktKnown { goods: vec![3], unseen: 1 };
    let seat = |luxury, known| v1::SchwarzmarktSeat { luxury, known, ..Default::default() };
    let open = |card, target| v1::SchwarzmarktOpenCard { card, target };
    let asked = question(
        Vec::new(),
        v1::SchwarzmarktObservation {
            seat: Some(1),
            offer: Some(0),
            marker: 1,
            demand: vec![POTATOES, BUTTER],
            goods: vec![POTATOES, POTATOES, FLOUR],
            cards: vec![1, 2],
            open_cards: vec![open(1, Some(0)), open(2, None)],
            seats: vec![seat(7, vec![]), seat(9, vec![known])],
            ..Default::default()
        },
    );
    let seen = asked.observation();
    let offer = seen.offer.as_ref().unwrap();
    assert!(offer.is_offer());
    assert_eq!(seen.price, 50);
    assert_eq!((wanted(&seen.goods, &seen.demand), wanted(&seen.goods, &offer.demand)), (1, 2));
    let effects: Vec<_> = seen.cards.iter().map(|card| card.effect).collect();
    assert_eq!(effects, [Some(Effect::OldDebt), Some(Effect::Foraging)]);
    let open: Vec<_> =
        seen.open_cards.iter().map(|(card, target)| (card.name.as_str(), *target)).collect();
    assert_eq!(open, [("old_debt", Some(0)), ("foraging", None)]);
    assert_eq!((seen.own().luxury, &seen.own().known[0].goods), (9, &vec![Good::Sugar]));
    assert_eq!(seen.others().map(|seat| seat.luxury).collect::<Vec<_>>(), [7]);
    assert_eq!(seen.resolving, None);
    let material = asked.game_match().material();
    assert_eq!((&material.prices[..], &material.steps[..]), (&[1, 50][..], &[4, 0][..]));
    assert_eq!(material.last_space(), 1);
    assert_eq!(material.goods, [Good::Potatoes, Good::Flour]);
}

/// Numbers of a later version of the protocol do no harm.
#[test]
fn unknown_numbers_do_no_harm() {
    let asked = question(
        Vec::new(),
        v1::SchwarzmarktObservation {
            seat: Some(u32::MAX),
            phase: 99,
            marker: 99,
            goods: vec![99],
            cards: vec![99],
            offer: Some(99),
            ..Default::default()
        },
    );
    let seen = asked.observation();
    assert_eq!((seen.phase, seen.price), (schwarzmarkt::Phase::Unknown, 0));
    assert_eq!(seen.goods, [Good::Unknown]);
    assert_eq!((seen.cards[0].name.as_str(), seen.cards[0].number), ("unknown", 99));
    assert_eq!((seen.own().luxury, seen.others().count()), (0, 0));
}
