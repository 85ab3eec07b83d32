// The sections of the page, in their order.
function head() {
  document.querySelector("h1").textContent = data.title;
  const runs = data.all_runs.toLocaleString("en");
  document.getElementById("lead").textContent = `${data.name}: ${runs} runs of ${data.configurations.length} configurations on ${data.instances.length} instances`;
}

function questionSection() {
  const question = data.question;
  if (question === null) return;
  const blocks = (question.algorithms ?? []).map((algorithm) => {
    const varied = algorithm.varied.map((axis) => [
      `${axis.settings.join(" with ")} (varied)`,
      axis.points.map((point) => point.join(" with ")).join("; "),
    ]);
    const names = new Set(algorithm.varied.flatMap((axis) => axis.settings));
    const isVaried = (key) => [...names].some((name) => key === name || key.startsWith(`${name}.`));
    const fixed = Object.entries(algorithm.settings ?? {}).filter(([key]) => !isVaried(key));
    const settings = element("details", {}, element("summary", {}, `${fixed.length} constant settings`), definitions(fixed.map(([key, value]) => [key, String(value)])));
    return element("div", {}, element("h3", {}, algorithm.name), definitions(varied), settings);
  });
  const asked = [["seed", String(question.seed)], ["repetitions", String(question.repetitions)], ["seeding", question.seeding]];
  section("question", "What was asked", definitions(asked), element("div", { class: "algorithms" }, blocks));
}

function whichAreMaximised() {
  if (data.direction === null) return ", some of which are maximised";
  return data.direction === "maximised" ? ", which are maximised (higher is better)" : "";
}

function tablesSection() {
  const varied = data.varied.map((name, at) => ({ name, value: (row) => row.varied[at], show: (row) => row.varied[at] || "–" }));
  const has = (key) => data.summary.some((row) => row[key] !== null);
  const figures = data.summary_figures
    .map((name, at) => ({ name, number: true, value: (row) => row.figures[at], show: (row) => short(row.figures[at]) }))
    .filter(({ value }) => data.summary.some((row) => value(row) !== null));
  const shownRate = (row) => (row.rate === null ? "–" : rate(row.rate, row.low, row.high));
  // If some runs had a target, rates and generations count only these runs.
  const shownRuns = (row) => (row.judged > 0 && row.judged < row.runs ? `${row.judged} with a target, of ${row.runs}` : String(row.runs));
  const solved = { name: "solved (95 %)", number: true, value: (row) => row.rate, show: shownRate, rate: (row) => row.rate ?? 0 };
  const gap = { name: "mean gap % (95 %)", number: true, value: (row) => row.gap, show: (row) => mean(row.gap, row.gap_low, row.gap_high) };
  const columns = [
    { name: "algorithm", value: (row) => row.algorithm },
    ...varied,
    { name: "bucket", value: (row) => row.bucket },
    ...(has("rate") ? [solved] : []),
    ...(has("gap") ? [gap] : []),
    { name: "runs", number: true, value: (row) => row.runs, show: shownRuns },
    ...figures,
  ];
  // The rows of all buckets, unless the user chose a bucket.
  const names = new Map(data.configurations.map(([algorithm, varied, name]) => [JSON.stringify([algorithm, varied]), name]));
  const nameOf = (row) => names.get(JSON.stringify([row.algorithm, row.varied]));
  const captions = {
    solved: "Success rates with the 95 % interval for instances like these; expected evaluations count unsolved runs (ERT).",
    gap: "Mean gaps to the best known values with the 95 % interval for instances like these. For a single instance the mean is over its runs.",
    objective: `Objectives${whichAreMaximised()}. Objectives of different families or fitness functions are not averaged.`,
  };
  const table = sortable(captions[data.metric], columns, data.summary, {
    filter: (row) => (state.bucket === null || row.bucket === state.bucket) && isShown(nameOf(row)),
    most: 300,
    label: "table of all figures",
  });
  section("tables", "All figures", table.node);
  follows(() => table.fill());
}

function testsSection() {
  const place = element("div");
  section("tests", "Compared", place);
  follows(() => place.replaceChildren(...comparisonOf(shownView())));
}

function comparisonOf({ comparison }) {
  if (comparison.error) return [element("p", { class: "soft" }, comparison.error)];
  const caveats = [comparison.differs, comparison.caveat].filter(Boolean).map((text) => element("p", {}, text));
  const name = (at) => comparison.groups[at][0];
  const isRate = comparison.is_rate;
  const says = (pair, answer) => ({ first: name(pair.first), second: name(pair.second), alike: "alike", open: "open" })[answer.says];
  // The columns of one question. With a single instance, the second question has no answer.
  const answers = (question, of) => comparison.pairs.some(of) ? [
    { name: `${comparison.confidence}, ${question}`, value: (pair) => of(pair)?.low, show: (pair) => of(pair) ? interval(of(pair).low, of(pair).high) : "" },
    { name: "p (Holm)", number: true, value: (pair) => of(pair)?.p, show: (pair) => of(pair) ? probability(of(pair).p) : "" },
    { name: "better", value: (pair) => of(pair) ? says(pair, of(pair)) : "" },
  ] : [];
  const alone = comparison.pairs.length > 1 ? " p-values are corrected for all comparisons, but intervals are not. A pair is open unless its p-value and its interval show a difference." : "";
  const table = sortable(
    (isRate ? "Difference of rates in points. Above zero, the first configuration solves more." : "Probability that a run of the first configuration is better than a run of the second, in %.") + alone,
    [
      { name: "first", value: (pair) => name(pair.first) },
      { name: "second", value: (pair) => name(pair.second) },
      { name: isRate ? "points" : "better %", number: true, value: (pair) => pair.size, show: (pair) => percent(pair.size) },
      ...answers("instances like these", (pair) => pair.like_these),
      ...answers("these instances", (pair) => pair.these),
    ],
    comparison.pairs,
    { filter: (pair) => isShown(name(pair.first)) || isShown(name(pair.second)), label: "table of pairs" },
  );
  const sentences = element("ul", {}, comparison.sentences.map((sentence) => element("li", {}, sentence)));
  return [...caveats, table.node, element("details", { class: "words" }, element("summary", {}, "in words"), sentences)];
}

function provenanceSection() {
  if (data.provenance === null) return;
  const { sessions, ...provenance } = data.provenance;
  const earlier = (sessions ?? []).map((one) => `${typeof one.done === "number" ? `${one.done.toLocaleString("en")} runs` : "runs"}${one.timing ? " with --timing" : ""} from ${one.started} to ${one.ended ?? "an unknown end"}, revision ${one.repository?.revision ?? "not known"}${one.repository?.dirty ? " with changes" : ""}`);
  const flat = (value, path) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key))
      : [[path, String(value)]];
  const known = flat(provenance, "").filter(([, value]) => value !== "null");
  section("provenance", "Where it comes from", definitions(known), element("ul", { "aria-label": "sessions" }, earlier.map((one) => element("li", {}, one))));
}

readAddress();
nameSeries();
head();
makeBar();
answerSection();
rankingSection();
raceSection();
chartsSection();
testsSection();
tablesSection();
instancesSection();
questionSection();
provenanceSection();
printCharts();
document.querySelector("nav").append(
  element("ul", {}, [...document.querySelectorAll("section")].map((part) => element("li", {}, element("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)))),
);
refresh();
