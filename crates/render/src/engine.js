// What vega asks of a browser, and no more. This runs before vega is loaded; `measure(font, text)` comes from outside.
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
// Vega looks for a canvas once, as it loads, and measures texts by it ever after.
globalThis.document = {
  createElement: () => ({
    getContext: () => ({
      font: "",
      measureText(text) {
        // Vega also measures texts cut between the halves of a character.
        return { width: measure(this.font, String(text).toWellFormed()) };
      },
    }),
  }),
};
