//! A part of a terminal, which is redrawn in place.

use std::io::Write;

use console::Term;
use evogrid_core::family::{Marks, Room};

/// A part of a terminal for drawing. The cursor is hidden until the screen is dropped. When the screen is dropped, the drawing is removed.
pub(crate) struct Screen {
    term: Term,
    /// The marks that the terminal can show.
    pub(crate) marks: Marks,
    /// The number of lines of the present drawing.
    pub(super) drawn: usize,
}

impl Screen {
    /// Opens a terminal to draw on.
    pub(crate) fn open(term: Term) -> Self {
        let marks = if term.features().colors_supported() { Marks::Colour } else { Marks::Beside };
        let _ = term.hide_cursor();
        Self { term, marks, drawn: 0 }
    }

    /// The available space. The last line and column stay free, so that nothing scrolls or wraps.
    pub(crate) fn room(&self) -> Room {
        let (rows, columns) = self.term.size();
        Room {
            columns: usize::from(columns).saturating_sub(1).max(1),
            rows: usize::from(rows).saturating_sub(1).max(1),
        }
    }

    /// Draws lines over the previous drawing, with a single write.
    pub(crate) fn draw(&mut self, lines: &[String]) {
        let mut text = self.up();
        for line in lines {
            text.push_str(line);
            text.push_str("\x1b[K\n");
        }
        text.push_str("\x1b[J");
        self.write(&text);
        self.drawn = lines.len();
    }

    /// Keeps the drawing when the screen is dropped.
    pub(crate) fn leave(&mut self) {
        self.drawn = 0;
    }

    /// Moves to the first line of the drawing.
    fn up(&self) -> String {
        if self.drawn > 0 { format!("\r\x1b[{}A", self.drawn) } else { String::new() }
    }

    /// Writes text. Errors are ignored, because nobody can see the drawing if the terminal is gone.
    fn write(&self, text: &str) {
        let mut output = &self.term;
        let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.drawn > 0 {
            self.write(&(self.up() + "\x1b[J"));
        }
        let _ = self.term.show_cursor();
    }
}
