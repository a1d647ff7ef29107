//! The messages of the protocol, generated from `proto/arena/v1`, where every field is explained.

#![allow(clippy::all, clippy::pedantic, missing_docs, rustdoc::all)]

include!("arena.v1.rs");
