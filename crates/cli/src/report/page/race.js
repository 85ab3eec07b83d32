// The race of the configurations. Each candidate has the block after which it ended, the reason, and the evidence.
function raceSection() {
  if (data.race === null) return;
  const { all, candidates, settings, test } = data.race;
  const below = element("div");
  const number = (name, key, show) => ({ name, number: true, value: (row) => row[key], show: (row) => (row[key] === null ? "–" : show(row[key])) });
  // There may be many settings, so they come last.
  const columns = [
    number("no.", "number", String),
    { name: "why", value: (row) => row.fate },
    number("ended after block", "ended", String),
    number("evidence", "evidence", (evidence) => (evidence < 0.1 ? "< 0.1" : evidence.toFixed(1))),
    number("runs", "runs", (runs) => runs.toLocaleString("en")),
    ...(candidates.some((row) => row.failed > 0) ? [number("failed", "failed", String)] : []),
    number("mean", "mean", short),
    ...settings.map((name, at) => ({ name, value: (row) => row.values[at], show: (row) => row.values[at] || "–" })),
  ];
  const caption = "The winner and the configurations in the race come first. The others follow, in the order of the evidence that they are worse. Blocks are numbered from 0. Means are over the runs that did not fail.";
  const folded = folding("candidates", `the first ${FEW} only`, fill);
  const options = { most: FEW, counted: () => {}, label: "table of the race" };
  const table = sortable(caption, columns, candidates, options);
  function fill() {
    const { most, parts } = folded(candidates.length);
    options.most = most;
    table.fill();
    below.replaceChildren(...parts.filter(Boolean));
  }
  fill();
  const missing = all > candidates.length ? element("p", { class: "soft" }, `${all - candidates.length} more candidates are in race.csv.`) : null;
  const tested = test === null ? null : element("p", {}, "The winner was tested on instances that the race did not use. ", element("code", {}, test), " writes the report of that test.");
  section("race", "Race", table.node, below, missing, tested);
}
