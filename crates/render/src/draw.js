// Runs after Vega is loaded. `draw(text, config)` returns a promise of `{ svg, refused, errors, warnings }`; all but `svg` are
// lists of strings. If there were a `document`, Vega would behave as in a page.
delete globalThis.document;

// What refers outside the drawing, or may do so behind a CSS escape; then the same within an attribute of a tag.
const SUSPECT = /url\((?!#)|\\/i;
const OUTWARD = /<[^<>]*\s(?!aria-)[\w:-]+="[^"]*(?:url\((?!#)|\\)[^"]*"/i;

globalThis.draw = async (text, config) => {
  const refused = [];
  const errors = [];
  const warnings = [];
  const note = (list) => (...words) => {
    list.push(words.map((word) => word?.message ?? word).join(" "));
    return logger;
  };
  const logger = {
    level(value) {
      return value === undefined ? vega.Warn : logger;
    },
    error: note(errors),
    warn: note(warnings),
    info: () => logger,
    debug: () => logger,
  };
  const refuse = (uri) => {
    refused.push(String(uri));
    return Promise.reject(new Error("refused"));
  };
  const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

  // The same random numbers and identifiers in every drawing, whatever was drawn before.
  vega.setRandom(vega.randomLCG(1));
  vega.resetSVGDefIds();
  const low = vegaLite.compile(JSON.parse(text), { config: JSON.parse(config), logger }).spec;
  const view = new vega.View(vega.parse(low), { renderer: "none", loader, logger });
  const svg = (await view.toSVG()).toWellFormed();
  view.finalize();
  const outward = SUSPECT.test(svg) && OUTWARD.exec(svg);
  if (outward) refused.push(outward[0].slice(outward[0].lastIndexOf(" ") + 1));
  return { svg, refused, errors, warnings };
};
