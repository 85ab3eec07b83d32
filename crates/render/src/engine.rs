//! Vega and Vega-Lite in a JavaScript engine of our own.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::function::Func;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Promise, Runtime};

use crate::font::Ruler;
use crate::{RenderError, VEGA, VEGA_LITE};

const BEFORE: &str = include_str!("engine.js");
const AFTER: &str = include_str!("draw.js");

/// How much of the thread's stack scripts may take, in bytes. A thread has two million, unless told otherwise.
const STACK: usize = 1 << 19;

/// What the engine says when memory runs out.
const OUT_OF_MEMORY: &str = "out of memory";

/// What one drawing may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Time for a drawing, and for the engine's start.
    pub time: Duration,
    /// Memory of the engine, in bytes; it takes some 20 million for itself.
    pub bytes: usize,
}

impl Default for Limits {
    /// Half a minute, half a gibibyte. A chart of 10 000 marks takes two seconds and a tenth of the memory.
    fn default() -> Self {
        Self { time: Duration::from_secs(30), bytes: 512 << 20 }
    }
}

/// What comes of a drawing.
pub(crate) struct Drawing {
    pub(crate) svg: String,
    pub(crate) warnings: Vec<String>,
}

/// An engine with vega in it.
pub(crate) struct Engine {
    context: Context,
    /// When the interpreter gives up.
    deadline: Rc<Cell<Option<Instant>>>,
    limits: Limits,
}

impl Engine {
    /// Starts an engine.
    pub(crate) fn start(limits: Limits) -> Result<Self, RenderError> {
        let failed = |error: rquickjs::Error| RenderError::Start { message: error.to_string() };
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(limits.bytes);
        runtime.set_max_stack_size(STACK);
        let deadline = Rc::new(Cell::new(None));
        let seen = Rc::clone(&deadline);
        runtime.set_interrupt_handler(Some(Box::new(move || past(seen.get()))));
        let context = Context::full(&runtime).map_err(failed)?;
        let engine = Self { context, deadline, limits };
        let start = |message| RenderError::Start { message };
        engine.within_time(start, |context| {
            let ruler = Ruler::new().ok_or(Failure::Said("the font is broken".to_owned()))?;
            let measure = move |font: String, text: String| ruler.width(&font, &text);
            context.globals().set("measure", Func::from(measure)).catch(context)?;
            for script in [BEFORE, VEGA, VEGA_LITE, AFTER] {
                context.eval::<(), _>(script).catch(context)?;
            }
            Ok(())
        })?;
        Ok(engine)
    }

    /// Draws a specification; `config` is what it starts from. Both are JSON.
    pub(crate) fn draw(&self, spec: &str, config: &str) -> Result<Drawing, RenderError> {
        let chart = |message| RenderError::Chart { message };
        let (drawing, refused, errors) = self.within_time(chart, |context| {
            let draw: Function<'_> = context.globals().get("draw").catch(context)?;
            let promise: Promise<'_> = draw.call((spec, config)).catch(context)?;
            let found: Object<'_> = promise.finish().catch(context)?;
            let texts = |name| found.get::<_, Vec<String>>(name).catch(context);
            let svg: String = found.get("svg").catch(context)?;
            let drawing = Drawing { svg: svg.replace(unprintable, "\u{fffd}"), warnings: texts("warnings")? };
            Ok((drawing, texts("refused")?, texts("errors")?))
        })?;
        if let Some(url) = refused.into_iter().next() {
            return Err(RenderError::Outward { url });
        }
        match errors.into_iter().next() {
            Some(message) => Err(self.classify(message, chart)),
            None => Ok(drawing),
        }
    }

    /// Does some work in the engine, and stops it when its time is over.
    fn within_time<T>(
        &self,
        other: impl Fn(String) -> RenderError,
        work: impl FnOnce(&Ctx<'_>) -> Result<T, Failure>,
    ) -> Result<T, RenderError> {
        let deadline = Instant::now().checked_add(self.limits.time);
        self.deadline.set(deadline);
        let done = self.context.with(|context| work(&context));
        self.deadline.set(None);
        done.map_err(|failure| match failure {
            _ if past(deadline) => RenderError::Time { seconds: self.limits.time.as_secs_f64() },
            Failure::Memory => RenderError::Memory { bytes: self.limits.bytes },
            Failure::Said(message) => self.classify(message, other),
        })
    }

    /// An error for what the engine says.
    fn classify(&self, message: String, other: impl Fn(String) -> RenderError) -> RenderError {
        if message.contains(OUT_OF_MEMORY) {
            return RenderError::Memory { bytes: self.limits.bytes };
        }
        other(message)
    }
}

/// Whether no XML may hold a character, not even escaped.
fn unprintable(character: char) -> bool {
    matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

fn past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() > deadline)
}

/// Why work in the engine stopped.
enum Failure {
    /// There was no memory left to say anything.
    Memory,
    /// An exception's message.
    Said(String),
}

impl From<CaughtError<'_>> for Failure {
    fn from(caught: CaughtError<'_>) -> Self {
        match caught {
            CaughtError::Error(rquickjs::Error::Allocation) => Self::Memory,
            CaughtError::Error(error) => Self::Said(error.to_string()),
            CaughtError::Exception(exception) => Self::Said(exception.message().unwrap_or_default()),
            CaughtError::Value(value) if value.is_null() => Self::Memory,
            CaughtError::Value(value) => {
                let text = value.as_string().and_then(|text| text.to_string().ok());
                Self::Said(text.unwrap_or_else(|| format!("a thrown {}", value.type_name())))
            }
        }
    }
}
