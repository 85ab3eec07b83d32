"use strict";
// All elements are made here. Their text is always set as text, so nothing from a data file is read as HTML.
const data = JSON.parse(document.getElementById("data").textContent);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) made.append(child);
  }
  return made;
}

function section(id, heading, ...children) {
  const made = element("section", { id, "aria-labelledby": `${id}-heading` }, element("h2", { id: `${id}-heading` }, heading), ...children);
  document.getElementById("main").append(made);
  return made;
}

// Numbers in the format of the tables of the command line: about four digits, without powers of ten.
function short(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const decimals = size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  return value.toLocaleString("en", { maximumFractionDigits: decimals });
}

function percent(share) {
  return share === null || share === undefined ? "–" : (100 * share).toLocaleString("en", { maximumFractionDigits: 1 });
}

// An interval of shares in per cent with one decimal, rounded outwards as in the sentences.
function interval(low, high) {
  // Adding 0 removes the sign of a zero.
  return [Math.floor(1000 * low + 1e-6), Math.ceil(1000 * high - 1e-6)].map((end) => percent((end + 0) / 1000)).join(" to ");
}

// A rate with its interval, rounded outwards.
function rate(share, low, high) {
  return `${percent(share)} % (${Math.floor(100 * low + 1e-9)} to ${Math.ceil(100 * high - 1e-9)})`;
}

// A mean in per cent with its interval, rounded outwards. A single value has no interval.
function mean(value, low, high) {
  if (value === null) return "–";
  if (low === null) return value.toFixed(2);
  return `${value.toFixed(2)} (${(Math.floor(100 * low + 1e-6) / 100).toFixed(2)} to ${(Math.ceil(100 * high - 1e-6) / 100).toFixed(2)})`;
}

function probability(p) {
  return p < 0.0001 ? "< 0.0001" : p.toLocaleString("en", { maximumFractionDigits: 4 });
}
