//! What is made of results: tables, charts, pages and files for other programs.

mod analysis;
mod answer;
mod export;
mod foreign;
mod import;
mod live;
mod maximised;
mod plot;
mod report;
mod reproduce;
mod selection;
mod targets;
mod trace;
