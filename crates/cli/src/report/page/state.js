// The page shows one bucket, one metric and some configurations. The user chooses them in a bar, and the address keeps the choice. Each view
// was computed from all runs, and the page chooses among the views.
const parts = [];
const state = { bucket: null, metric: data.views[0].metric, show: "" };

function readAddress() {
  const asked = new URLSearchParams(location.hash.replace(/^#/, ""));
  const bucket = asked.get("bucket");
  state.bucket = data.views.some((view) => view.bucket === bucket) ? bucket : null;
  const metric = asked.get("metric");
  state.metric = data.views.some((view) => view.metric === metric && view.bucket === state.bucket) ? metric : metricsOf(state.bucket)[0];
  state.show = asked.get("show") ?? "";
}

function writeAddress() {
  const first = data.views[0];
  const kept = [["bucket", state.bucket, null], ["metric", state.metric, first.metric], ["show", state.show, ""]];
  const text = new URLSearchParams(kept.filter(([, value, usual]) => value !== usual).map(([key, value]) => [key, value])).toString();
  history.replaceState(null, "", text === "" ? location.pathname + location.search : `#${text}`);
}

function metricsOf(bucket) {
  return data.views.filter((view) => view.bucket === bucket).map((view) => view.metric);
}

function shownView() {
  return data.views.find((view) => view.bucket === state.bucket && view.metric === state.metric) ?? data.views[0];
}

// Whether a configuration is shown. Its name must contain every word of the search.
function isShown(name) {
  const text = name.toLowerCase();
  return state.show.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

// A part of the page that follows the bar.
function follows(render) {
  parts.push(render);
}

function change(what) {
  Object.assign(state, what);
  if (!metricsOf(state.bucket).includes(state.metric)) state.metric = metricsOf(state.bucket)[0];
  writeAddress();
  refresh();
}

function refresh() {
  fillBar();
  parts.forEach((render) => render());
}

// The bar that stays in sight.
const bar = {};

function fillBar() {
  const fill = (select, values, chosen) => {
    select.replaceChildren(...values.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
    select.parentNode.hidden = values.length < 2;
  };
  const buckets = [...new Set(data.views.map((view) => view.bucket))];
  fill(bar.bucket, buckets.map((bucket) => [bucket ?? "", bucket ?? "all"]), state.bucket ?? "");
  fill(bar.metric, metricsOf(state.bucket).map((metric) => [metric, metric]), state.metric);
  if (bar.show.value !== state.show) bar.show.value = state.show;
}

function makeBar() {
  bar.bucket = element("select", { onchange: () => change({ bucket: bar.bucket.value === "" ? null : bar.bucket.value }) });
  bar.metric = element("select", { onchange: () => change({ metric: bar.metric.value }) });
  bar.show = element("input", { type: "search", placeholder: "all", oninput: () => change({ show: bar.show.value }) });
  const label = (text, control) => element("label", {}, text, control);
  const several = data.configurations.length > 1;
  document.getElementById("bar").append(label("bucket", bar.bucket), label("judged by", bar.metric), several ? label("configurations", bar.show) : "");
  document.getElementById("bar").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    if (document.getElementById(location.hash.slice(1)) !== null) return;
    readAddress();
    refresh();
  });
}
