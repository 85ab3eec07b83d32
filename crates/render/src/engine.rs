//! Vega and Vega-Lite in an embedded JavaScript engine.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::function::Func;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Promise, Runtime};
use serde_json::json;

use crate::font::TextMeasure;
use crate::{RenderError, VEGA, VEGA_LITE};

/// The script before Vega. The script defines the functions of a browser that Vega uses.
const ENVIRONMENT_SCRIPT: &str = include_str!("engine.js");
/// The script after Vega-Lite. The script defines the function `draw`.
const DRAW_SCRIPT: &str = include_str!("draw.js");

/// The part of the thread's stack that scripts may use, in bytes. The default stack of a thread has two million bytes.
const STACK_BYTES: usize = 1 << 19;

/// The engine's message when memory runs out.
const OUT_OF_MEMORY: &str = "out of memory";

/// The limits of time and memory for one drawing.
///
/// # Example
/// ```
/// use std::time::Duration;
///
/// use evogrid_render::{Limits, Renderer};
///
/// let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
/// assert!(Renderer::with_limits(limits).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The maximum time for a drawing. The engine must also start within this time.
    pub time: Duration,
    /// The maximum memory of the engine in bytes. The engine needs about 20 million bytes before it draws anything.
    pub bytes: usize,
}

impl Default for Limits {
    /// The default limits are 30 seconds and 512 MiB. A chart of 10,000 marks takes two seconds and a tenth of this memory.
    fn default() -> Self {
        Self { time: Duration::from_secs(30), bytes: 512 << 20 }
    }
}

/// An engine with Vega and Vega-Lite loaded.
pub(crate) struct Engine {
    context: Context,
    /// The time at which the interpreter stops the current script.
    deadline: Rc<Cell<Option<Instant>>>,
    limits: Limits,
}

impl Engine {
    /// Starts an engine.
    pub(crate) fn start(limits: Limits) -> Result<Self, RenderError> {
        let failed = |error: rquickjs::Error| RenderError::Start { message: error.to_string() };
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(limits.bytes);
        runtime.set_max_stack_size(STACK_BYTES);
        let deadline = Rc::new(Cell::new(None));
        let seen = Rc::clone(&deadline);
        runtime.set_interrupt_handler(Some(Box::new(move || is_past(seen.get()))));
        let context = Context::full(&runtime).map_err(failed)?;
        let engine = Self { context, deadline, limits };
        let started = engine.within_time(|context| {
            let text_measure = TextMeasure::new();
            let measure = move |font: String, text: String| text_measure.width(&font, &text);
            context.globals().set("measure", Func::from(measure)).catch(context)?;
            for script in [ENVIRONMENT_SCRIPT, VEGA, VEGA_LITE, DRAW_SCRIPT] {
                context.eval::<(), _>(script).catch(context)?;
            }
            Ok(())
        });
        match started {
            Err(RenderError::Chart { message }) => Err(RenderError::Start { message }),
            other => other.map(|()| engine),
        }
    }

    /// Draws a specification with the defaults of `config`. Both are JSON. Returns the SVG document and the warnings.
    pub(crate) fn draw(&self, spec: &str, config: &str) -> Result<(String, Vec<String>), RenderError> {
        let (drawing, refused, errors) = self.within_time(|context| {
            let draw: Function<'_> = context.globals().get("draw").catch(context)?;
            let promise: Promise<'_> = draw.call((spec, config)).catch(context)?;
            let found: Object<'_> = promise.finish().catch(context)?;
            let texts = |name| found.get::<_, Vec<String>>(name).catch(context);
            let svg: String = found.get("svg").catch(context)?;
            let drawing = (svg.replace(unprintable, "\u{fffd}"), texts("warnings")?);
            Ok((drawing, texts("refused")?, texts("errors")?))
        })?;
        if let Some(url) = refused.into_iter().next() {
            return Err(RenderError::ExternalReference { url });
        }
        match errors.into_iter().next() {
            Some(message) => Err(self.error(message)),
            None => Ok(drawing),
        }
    }

    /// Calls a function with two arguments, which are texts or `null`. The function is an expression, and returns a text or `null`.
    pub(crate) fn call(&self, function: &str, arguments: [Option<&str>; 2]) -> Result<Option<String>, RenderError> {
        self.within_time(|context| {
            let [first, second] = arguments.map(|argument| json!(argument).to_string());
            Ok(context.eval(format!("({function})({first}, {second})")).catch(context)?)
        })
    }

    /// Runs a function in the engine, and stops it at the time limit.
    fn within_time<T>(&self, work: impl FnOnce(&Ctx<'_>) -> Result<T, Failure>) -> Result<T, RenderError> {
        let deadline = Instant::now().checked_add(self.limits.time);
        self.deadline.set(deadline);
        let done = self.context.with(|context| work(&context));
        self.deadline.set(None);
        done.map_err(|Failure(message)| match is_past(deadline) {
            true => RenderError::TimeLimit { seconds: self.limits.time.as_secs_f64() },
            false => self.error(message),
        })
    }

    /// The error for a message from the engine.
    fn error(&self, message: String) -> RenderError {
        match message.contains(OUT_OF_MEMORY) {
            true => RenderError::MemoryLimit { bytes: self.limits.bytes },
            false => RenderError::Chart { message },
        }
    }
}

/// Returns true if XML cannot contain the character, even if it is escaped.
fn unprintable(character: char) -> bool {
    matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() > deadline)
}

/// The message of the error that stopped work in the engine.
struct Failure(String);

impl From<CaughtError<'_>> for Failure {
    fn from(caught: CaughtError<'_>) -> Self {
        Self(match caught {
            CaughtError::Error(rquickjs::Error::Allocation) => OUT_OF_MEMORY.to_owned(),
            CaughtError::Error(error) => error.to_string(),
            CaughtError::Exception(exception) => exception.message().unwrap_or_default(),
            // The engine has no memory for a message.
            CaughtError::Value(value) if value.is_null() => OUT_OF_MEMORY.to_owned(),
            CaughtError::Value(value) => {
                let text = value.as_string().and_then(|text| text.to_string().ok());
                text.unwrap_or_else(|| format!("a thrown {}", value.type_name()))
            }
        })
    }
}
