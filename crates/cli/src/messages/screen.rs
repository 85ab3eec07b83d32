//! A part of a terminal that is drawn over in place.

use std::io::Write;

use console::Term;
use evogrid_core::family::{Marks, Room};

/// The part of a terminal used for drawing. The cursor is hidden until the screen is closed or dropped.
pub(crate) struct Screen {
    term: Term,
    marks: Marks,
    /// Lines drawn last.
    drawn: usize,
    is_open: bool,
}

impl Screen {
    /// Opens a terminal to draw on.
    pub(crate) fn open(term: Term) -> Self {
        let marks = if term.features().colors_supported() { Marks::Colour } else { Marks::Beside };
        let _ = term.hide_cursor();
        Self { term, marks, drawn: 0, is_open: true }
    }

    /// The marks that can be shown on the terminal.
    pub(crate) fn marks(&self) -> Marks {
        self.marks
    }

    /// Whether anything was drawn.
    pub(crate) fn has_drawn(&self) -> bool {
        self.drawn > 0
    }

    /// The available space. The last line and column stay free, so that nothing scrolls or wraps.
    pub(crate) fn room(&self) -> Room {
        let (rows, columns) = self.term.size();
        Room {
            columns: usize::from(columns).saturating_sub(1).max(1),
            rows: usize::from(rows).saturating_sub(1).max(1),
        }
    }

    /// Draws lines over the previous drawing with one write.
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

    /// Removes the drawing and shows the cursor.
    pub(crate) fn close(&mut self) {
        if self.is_open {
            self.is_open = false;
            let text = self.up() + "\x1b[J";
            self.write(&text);
            let _ = self.term.show_cursor();
        }
    }

    /// Keeps the drawing and shows the cursor.
    pub(crate) fn leave(&mut self) {
        self.drawn = 0;
        if std::mem::take(&mut self.is_open) {
            let _ = self.term.show_cursor();
        }
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
        self.close();
    }
}
