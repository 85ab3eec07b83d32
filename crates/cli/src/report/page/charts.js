// The charts. A chart is drawn when it comes into sight. A configuration has the same colour in all charts, and is marked when the user points
// at it.
const dark = matchMedia("(prefers-color-scheme: dark)");
const drawnCharts = new Map();
// The names of configurations in charts: the full name, or only the values of the settings.
const namesOfSeries = new Map();
const colours = new Map();

function nameSeries() {
  for (const view of data.views) {
    for (const row of view.ranking?.rows ?? []) {
      const values = data.configurations[row[CONFIGURATION_OF_ROW]];
      const settings = values[1].filter((value) => value !== "");
      for (const alias of [nameOfRow(row), settings.join(", "), [values[0], ...settings].join(", "), values[0]]) {
        if (alias === "") continue;
        // A name that several configurations share names none of them.
        namesOfSeries.set(alias, [undefined, nameOfRow(row)].includes(namesOfSeries.get(alias)) ? nameOfRow(row) : null);
      }
    }
  }
  const palette = data.themes.light.range.category.length;
  // Neighbours in a chart differ in colour, and a configuration has one colour in all charts.
  for (const domain of data.charts.flatMap((chart) => colourDomains(chart.spec).map(({ domain }) => domain))) {
    const own = domain.map((series) => namesOfSeries.get(series));
    if (own.some((name) => !name)) continue;
    for (const name of own.filter((name) => !colours.has(name))) {
      const taken = new Set(own.map((other) => colours.get(other)));
      const free = [...Array(palette).keys()].find((colour) => !taken.has(colour));
      if (free !== undefined) colours.set(name, free);
    }
  }
}

function colourOf(name) {
  const palette = (dark.matches ? data.themes.dark : data.themes.light).range.category;
  return colours.has(name) ? palette[colours.get(name)] : undefined;
}

// The scales of a specification that give series their colours.
function colourDomains(spec) {
  if (spec === null || typeof spec !== "object") return [];
  const own = Array.isArray(spec.color?.scale?.domain) && spec.color.field === "series" ? [spec.color.scale] : [];
  return [...own, ...Object.entries(spec).filter(([key]) => key !== "values").flatMap(([, inner]) => colourDomains(inner))];
}

// A specification with the colours of the page, and only with the configurations that the user wants to see.
function prepared(spec, palette) {
  const own = structuredClone(spec);
  for (const scale of colourDomains(own)) {
    const chosen = scale.domain.map((series) => colours.get(namesOfSeries.get(series)));
    if (chosen.every((colour) => colour !== undefined) && new Set(chosen).size === chosen.length) scale.range = chosen.map((colour) => palette[colour]);
  }
  if (state.show !== "") filterRows(own);
  // On a narrow screen, panels are placed below each other.
  if (own.columns > 1 && innerWidth < 600) own.columns = 1;
  return own;
}

function filterRows(spec) {
  if (spec === null || typeof spec !== "object") return;
  if (Array.isArray(spec.data?.values)) {
    spec.data.values = spec.data.values.filter((row) => {
      const name = namesOfSeries.get(row.series);
      return !name || isShown(name);
    });
  }
  Object.entries(spec).filter(([key]) => key !== "values").forEach(([, inner]) => filterRows(inner));
}

const observer = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => drawPlot(entry.target)), { rootMargin: "300px" });

// Fills an element with a chart, which is drawn as soon as the element is in sight.
function fillFigure(figure, number) {
  const chart = data.charts[number];
  const plot = element("div", { class: "plot", id: `${figure.classList.contains("main") ? "main" : "chart"}-${chart.name}`, role: "img", "aria-label": [`${chart.title}: ${chart.doc}.`, ...chart.caveats].join(" ") });
  const saves = ["svg", "png"].map((kind) => element("button", { type: "button", class: "save", "aria-label": `save ${chart.title} as ${kind.toUpperCase()}`, onclick: () => savePlot(plot, kind) }, kind.toUpperCase()));
  const caption = element("figcaption", {}, element("strong", {}, chart.title, element("span", { class: "saves" }, saves)), [...chart.caveats.filter((caveat) => !data.warnings.includes(caveat)), ...chart.notes].join(" "));
  const old = figure.querySelector(".plot");
  if (old !== null) {
    observer.unobserve(old);
    drawnCharts.delete(old);
  }
  figure.replaceChildren(plot, caption);
  drawnCharts.set(plot, { chart, view: null, isDrawn: false });
  observer.observe(plot);
}

async function drawPlot(plot) {
  const own = drawnCharts.get(plot);
  if (own === undefined || own.isDrawn) return;
  own.isDrawn = true;
  const theme = dark.matches ? data.themes.dark : data.themes.light;
  const label = plot.getAttribute("aria-label");
  const { view } = await vegaEmbed(plot, prepared(own.chart.spec, theme.range.category), { mode: "vega-lite", renderer: "svg", logLevel: vega.Error, config: theme, actions: false });
  own.view = view;
  const nameOf = (item) => namesOfSeries.get(item?.datum?.series);
  view.addEventListener("pointerover", (_, item) => nameOf(item) && highlight(nameOf(item)));
  view.addEventListener("pointerout", () => highlight(null));
  view.addEventListener("click", (_, item) => {
    const row = shownView().ranking?.rows.find((row) => nameOfRow(row) === nameOf(item));
    if (row !== undefined) showRuns(row[CONFIGURATION_OF_ROW]);
  });
  // A chart with several panels takes the whole width.
  const svg = plot.querySelector("svg.marks");
  // The chart has one name for screen readers. Its marks have no names.
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", label);
  svg.setAttribute("aria-hidden", "true");
  const width = Number(svg.getAttribute("width"));
  if (width > 480) plot.setAttribute("tabindex", "0");
  plot.parentNode.classList.toggle("wide", width > 480);
  svg.style.maxWidth = `${1.6 * width}px`;
  document.body.setAttribute("data-drawn", String([...drawnCharts.values()].filter(({ isDrawn }) => isDrawn).length));
}

async function savePlot(plot, kind) {
  const { chart, view } = drawnCharts.get(plot);
  if (view === null) return;
  const link = element("a", { href: await view.toImageURL(kind, 2), download: `${data.name}-${chart.name}.${kind}` });
  link.click();
}

// Marks a configuration in every chart and in the ranking; null marks none.
function highlight(name) {
  for (const plot of drawnCharts.keys()) {
    for (const mark of plot.querySelectorAll("svg.marks path, svg.marks line")) {
      const own = namesOfSeries.get(mark.__data__?.datum?.series);
      if (own) mark.style.opacity = name === null || own === name ? "" : "0.15";
    }
  }
  for (const button of document.querySelectorAll("#ranking .name")) {
    button.closest("tr").classList.toggle("pointed", button.textContent === name);
  }
}

function chartsSection() {
  const grid = element("div", { class: "charts" });
  const refused = element("div");
  section("charts", "Charts", element("p", { class: "soft screen" }, "Point at a mark to see its figures, and its configuration in all charts. Click the mark to see its runs."), grid, refused);
  let last = null;
  follows(() => {
    const view = shownView();
    const key = JSON.stringify([view.bucket, view.metric, state.show]);
    if (key === last) return;
    last = key;
    grid.querySelectorAll(".plot").forEach((plot) => drawnCharts.delete(plot));
    const others = view.charts.filter((number) => number !== view.figure);
    grid.replaceChildren(...others.map((number) => {
      const figure = element("figure");
      fillFigure(figure, number);
      return figure;
    }));
    const reasons = view.uncharted.map(([name, why]) => element("li", {}, `${name}: ${why}`));
    refused.replaceChildren(reasons.length > 0 ? element("details", {}, element("summary", {}, `${reasons.length} charts cannot be made from these runs`), element("ul", {}, reasons)) : "");
  });
  dark.addEventListener("change", () => {
    last = null;
    refresh();
  });
}

// On paper, charts are always drawn dark on white. A browser prints the page as soon as the event is over. So the charts for paper are drawn
// during the event, beside the charts of the screen. Only this many charts are drawn.
const MOST_ON_PAPER = 10;

function printCharts() {
  const added = [];
  const views = [];
  addEventListener("beforeprint", () => {
    document.querySelectorAll(".warnings").forEach((warnings) => warnings.setAttribute("open", ""));
    const theme = data.themes.light;
    for (const [plot, { chart }] of [...drawnCharts].slice(0, MOST_ON_PAPER)) {
      const paper = element("div", { class: "paper" });
      plot.parentNode.prepend(paper);
      added.push(paper);
      const { spec } = vegaLite.compile(prepared(chart.spec, theme.range.category), { config: theme });
      views.push(new vega.View(vega.parse(spec), { renderer: "svg", logLevel: vega.Error }).initialize(paper).run());
    }
  });
  addEventListener("afterprint", () => {
    views.splice(0).forEach((view) => view.finalize());
    added.splice(0).forEach((paper) => paper.remove());
  });
}
