//! What people read: messages, the book, the schema, the manual.

mod book;
mod errors;
mod hostile;
mod installation;
mod messages;
mod schema;
