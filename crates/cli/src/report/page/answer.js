// The answer with its chart, and the ranking that leads to the answer.
const FEW = 10;

function answerSection() {
  const text = element("p", { class: "answer" });
  const caveat = element("p", { class: "caveat" });
  const picture = element("figure", { class: "main" });
  const chosen = element("p", { class: "soft" }, `This page has ${data.views.length} answers, one for each bucket and metric, and this is one of them. Intervals and tests are not corrected for the choice of an answer.`);
  const [worst, ...others] = data.warnings;
  const notes = data.notes.map((note) => element("p", { class: "soft" }, note));
  const more = others.length === 0 ? null : element(
    "details",
    { class: "warnings" },
    element("summary", {}, `${others.length} more ${others.length === 1 ? "warning" : "warnings"}`),
    element("ul", { "aria-label": "warnings" }, others.map((warning) => element("li", {}, warning))),
  );
  if (worst !== undefined) caveat.append(element("strong", {}, "But: "), worst);
  section("answer", "Answer", element("div", { class: "lead" }, element("div", {}, text, worst === undefined ? null : caveat, more, chosen, notes), picture));
  follows(() => {
    const view = shownView();
    text.textContent = view.answer;
    chosen.hidden = view === data.views[0];
    picture.hidden = view.figure === null;
    if (view.figure !== null) fillFigure(picture, view.figure);
  });
}

// A table that shows its first rows or all rows. For a number of rows, it returns how many rows are shown, and the elements below them.
function folding(noun, fewer, redraw) {
  let isWhole = false;
  return (n) => {
    const most = isWhole ? n : Math.min(n, FEW);
    const toggle = () => { isWhole = !isWhole; redraw(); };
    const button = n > FEW ? element("button", { type: "button", class: "more", onclick: toggle }, isWhole ? fewer : `all ${n} ${noun}`) : null;
    return { most, parts: [n > most ? element("p", { class: "soft" }, `${n - most} more ${noun} are not shown.`) : null, button] };
  };
}

function rankingSection() {
  const place = element("div");
  const folded = folding("configurations", `the best ${FEW} only`, refresh);
  section("ranking", "Ranking", place);
  follows(() => {
    const view = shownView();
    if (view.ranking === null) return place.replaceChildren(element("p", {}, view.answer));
    const rows = view.ranking.rows.map((row, at) => ({ rank: at + 1, row })).filter(({ row }) => isShown(nameOfRow(row)));
    const { most, parts } = folded(rows.length);
    const shown = rows.slice(0, most);
    const ends = view.ranking.rows.flatMap((row) => row[ENDS].filter((end) => end !== null));
    const [low, high] = [ends.reduce((least, end) => Math.min(least, end), Infinity), ends.reduce((most, end) => Math.max(most, end), -Infinity)];
    const share = (end) => (high > low ? (100 * (end - low)) / (high - low) : 50);
    const hasMean = !["solved %", "mean gap %", null].includes(view.ranking.ordered_by);
    const hasFailed = rows.some(({ row }) => row[FAILED] > 0);
    const heads = ["", "configuration", view.metric, "95 % interval", ...(hasMean ? [view.ranking.ordered_by] : []), "may be best", "runs", ...(hasFailed ? ["failed"] : [])];
    const line = ({ rank, row }) => {
      const number = (text) => element("td", { class: "number" }, text);
      const chosen = () => showRuns(row[CONFIGURATION_OF_ROW]);
      const name = element("button", { type: "button", class: "name", onclick: chosen, title: "show its runs" }, swatch(nameOfRow(row)), element("span", {}, nameOfRow(row)));
      const own = element("tr", { class: row[MAY_BE_BEST] ? "may" : null }, number(String(rank)), element("th", { scope: "row" }, name), number(row[FIGURE] || "–"), element("td", { class: "bars" }, intervalBar(row[ENDS], share)), hasMean ? number(short(row[MEAN])) : null, element("td", {}, { true: "yes", false: "no" }[row[MAY_BE_BEST]] ?? "–"), number(row[RUNS].toLocaleString("en")), hasFailed ? number(String(row[FAILED])) : null);
      own.addEventListener("pointerenter", () => highlight(nameOfRow(row)));
      own.addEventListener("pointerleave", () => highlight(null));
      return own;
    };
    const caption = `${view.bucket === null ? "All runs" : `Bucket ${view.bucket}`}, by ${view.metric}${ends.length > 0 ? `; the bars reach from ${short(low)} to ${short(high)}` : ""}.`;
    const table = element(
      "table",
      {},
      element("caption", {}, element("span", {}, caption)),
      element("thead", {}, element("tr", {}, heads.map((head) => (head === "" ? element("td", {}) : element("th", { scope: "col", class: [view.metric, view.ranking.ordered_by, "runs", "failed"].includes(head) ? "number" : null }, head))))),
      element("tbody", {}, shown.map(line)),
    );
    place.replaceChildren(...[scroll(table, "table of the ranking"), ...parts, ...view.ranking.notes.map((note) => element("p", { class: "soft" }, note))].filter(Boolean));
  });
}

const [CONFIGURATION_OF_ROW, FIGURE, ENDS, MEAN, MAY_BE_BEST, RUNS, FAILED] = Array(7).keys();

function nameOfRow(row) {
  return data.configurations[row[CONFIGURATION_OF_ROW]][2];
}

// An estimate as a dot, and its interval as a bar.
function intervalBar([estimate, low, high], share) {
  const drawn = element("span", { class: "interval", "aria-hidden": "true" });
  if (low !== null && high !== null) {
    const line = element("span", { class: "ends" });
    line.style.left = `${share(low)}%`;
    line.style.width = `${share(high) - share(low)}%`;
    drawn.append(line);
  }
  if (estimate !== null) {
    const dot = element("span", { class: "dot" });
    dot.style.left = `${share(estimate)}%`;
    drawn.append(dot);
  }
  return drawn;
}

function swatch(name) {
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  const colour = colourOf(name);
  if (colour !== undefined) made.style.background = colour;
  return made;
}
