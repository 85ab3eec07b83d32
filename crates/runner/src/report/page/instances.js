// Instances: a table to sort and filter, and for a chosen one its drawing and its runs.
const [ID, BUCKET, RUNS, SOLVED, LOW, HIGH, PROBLEM, CONTENT] = Array(8).keys();
const [CELL, INSTANCE, REPETITION, IS_SOLVED, BEST, EVALUATIONS, GENERATIONS, RESTARTS, MS, STOP, NUMBER] = Array(11).keys();

function instancesSection() {
  const buckets = choice("bucket", distinct(data.instances.map((instance) => instance[BUCKET])).filter(Boolean), () => table.fill());
  const algorithms = choice("algorithm", distinct(data.cells.map(([algorithm]) => algorithm)), () => table.fill());
  const search = element("input", { type: "search", "aria-label": "search instances", oninput: () => table.fill() });
  const counted = element("p", { class: "soft", "aria-live": "polite" });
  const detail = element("div", { class: "detail", "aria-live": "polite" });

  // With an algorithm chosen, its runs alone count; these are all there are, or the first of each setting.
  const of = (at) => {
    const algorithm = algorithms.value();
    const instance = data.instances[at];
    if (algorithm === "") return { runs: instance[RUNS], solved: instance[SOLVED], low: instance[LOW], high: instance[HIGH] };
    const runs = runsOf(at).filter((run) => data.cells[run[CELL]][0] === algorithm);
    return { runs: runs.length, solved: runs.filter((run) => run[IS_SOLVED]).length };
  };
  const share = (at) => {
    const { runs, solved } = of(at);
    return runs === 0 ? null : solved / runs;
  };
  const shown = (at) => {
    const { runs, low, high } = of(at);
    if (runs === 0) return "–";
    return low === undefined ? `${percent(share(at))} %` : rate(share(at), low, high);
  };
  const table = sortable(
    "Choose an instance for its drawing and its runs.",
    [
      { name: "instance", value: (at) => data.instances[at][ID] },
      { name: "bucket", value: (at) => data.instances[at][BUCKET] },
      { name: "runs", number: true, value: (at) => of(at).runs },
      { name: "solved (95 %)", number: true, value: share, show: shown, rate: (at) => share(at) ?? 0 },
    ],
    data.instances.map((_, at) => at),
    {
      most: 500,
      filter: (at) =>
        (buckets.value() === "" || data.instances[at][BUCKET] === buckets.value()) &&
        data.instances[at][ID].toLowerCase().includes(search.value.toLowerCase()),
      counted: (n) => {
        counted.textContent = `${n} of ${data.instances.length} instances${n > 500 ? ", the first 500 are shown" : ""}`;
      },
      choose: (at) => detail.replaceChildren(...instanceDetail(at, algorithms.value())),
    },
  );
  const controls = element("div", { class: "controls" }, buckets.node, algorithms.node, element("label", {}, "search", search));
  const kept = data.kept_runs < data.all_runs ? element("p", { class: "soft" }, `Of ${data.all_runs.toLocaleString("en")} runs the page holds ${data.kept_runs.toLocaleString("en")}: the first of each setting and instance.`) : null;
  section("instances", "Instances", kept, controls, counted, element("div", { class: "pick" }, table.node, detail));
}

function runsOf(instance) {
  return data.runs.filter((run) => run[INSTANCE] === instance);
}

function instanceDetail(at, algorithm) {
  const instance = data.instances[at];
  const runs = runsOf(at).filter((run) => algorithm === "" || data.cells[run[CELL]][0] === algorithm);
  const table = sortable(
    "Its runs.",
    [
      { name: "setting", value: (run) => cellName(run[CELL]) },
      { name: "repetition", number: true, value: (run) => run[REPETITION] },
      { name: "solved", value: (run) => (run[IS_SOLVED] ? "yes" : "no") },
      { name: "best fitness", number: true, value: (run) => run[BEST], show: (run) => short(run[BEST]) },
      { name: "evaluations", number: true, value: (run) => run[EVALUATIONS], show: (run) => run[EVALUATIONS].toLocaleString("en") },
      { name: "generations", number: true, value: (run) => run[GENERATIONS] },
      { name: "restarts", number: true, value: (run) => run[RESTARTS] },
      { name: "ms", number: true, value: (run) => run[MS], show: (run) => short(run[MS]) },
      { name: "stop", value: (run) => run[STOP] },
      { name: "again", value: (run) => run[NUMBER], show: replayButton },
    ],
    runs,
    { most: 500 },
  );
  const heading = element("h3", {}, `${instance[ID]}${instance[BUCKET] ? `, ${instance[BUCKET]}` : ""}`);
  return [element("div", {}, heading, drawing(instance)), element("div", {}, table.node)];
}

// The command that does a run again, to be copied.
function replayButton(run) {
  if (data.folder === null) return "–";
  const word = /^[\w./+=:,-]+$/.test(data.folder) ? data.folder : `'${data.folder.replaceAll("'", "'\\''")}'`;
  const command = `runner replay ${word} ${run[NUMBER]}`;
  const copy = async (event) => {
    event.stopPropagation();
    const button = event.currentTarget;
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = "copied";
    } catch {
      button.replaceWith(element("code", {}, command));
    }
  };
  return element("button", { type: "button", class: "copy", title: command, onclick: copy }, "copy command");
}

// An instance from its content, drawn as its family says; as it is written where it says nothing.
function drawing(instance) {
  if (instance[CONTENT] === null) return element("p", { class: "soft" }, "its content is not known");
  const draw = familyDrawings[instance[PROBLEM]];
  const drawn = draw === undefined ? null : draw(instance[CONTENT]);
  if (drawn === null) return element("pre", {}, instance[CONTENT]);
  drawn.setAttribute("aria-label", `instance ${instance[ID]}`);
  return drawn;
}
