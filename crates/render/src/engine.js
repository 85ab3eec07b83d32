// The parts of a browser that Vega needs. This runs before Vega is loaded; `measure(font, text)` is defined by the program.
globalThis.self = globalThis;
globalThis.console = { log() {}, info() {}, debug() {}, warn() {}, error() {} };
globalThis.setTimeout = (callback, _delay, ...values) => {
  Promise.resolve().then(() => callback(...values));
  return 0;
};
globalThis.clearTimeout = () => {};
globalThis.structuredClone = (value) => {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(structuredClone);
  if (value instanceof Date) return new Date(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, structuredClone(part)]));
};
// Vega looks for a canvas once, while it loads, and from then on measures texts with it.
globalThis.document = {
  createElement: () => ({
    getContext: () => ({
      font: "",
      measureText(text) {
        // Vega also measures texts that are cut between the two halves of a surrogate pair.
        return { width: measure(this.font, String(text).toWellFormed()) };
      },
    }),
  }),
};
