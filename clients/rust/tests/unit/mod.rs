//! Tests of the library against a scripted arena; what needs none is beside the code it tests.

mod bots;
mod connection;
mod fake_arena;
mod games;
mod golden;
mod messages;
mod program;
mod session;
mod settings;
mod template;
mod texts;
mod tls;
