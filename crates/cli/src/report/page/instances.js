// Instances: a table to sort and filter, and for a chosen one its drawing and its runs.
const [ID, BUCKET, PROBLEM, CONTENT] = Array(4).keys();
const [CONFIGURATION, INSTANCE, REPETITION, IS_SOLVED, BEST, EVALUATIONS, GENERATIONS, RESTARTS, MS, STOP, NUMBER, OBJECTIVE, GAP, CPU] = Array(14).keys();

function instancesSection() {
  const buckets = choice("bucket", distinct(data.instances.map((instance) => instance[BUCKET])).filter(Boolean), () => table.fill());
  const algorithms = choice("algorithm", distinct(data.configurations.map(([algorithm]) => algorithm)), () => table.fill());
  const search = element("input", { type: "search", "aria-label": "search instances", oninput: () => table.fill() });
  const counted = element("p", { class: "soft", "aria-live": "polite" });
  const detail = element("div", { class: "detail", "aria-live": "polite" });

  const of = () => figuresOf(algorithms.value());
  const isSolving = data.metric === "solved";
  const isShown = (at) =>
    (buckets.value() === "" || data.instances[at][BUCKET] === buckets.value()) &&
    data.instances[at][ID].toLowerCase().includes(search.value.toLowerCase());
  // How many runs, of the instances that a filter leaves.
  const counts = () => {
    const shown = data.instances.map((_, at) => at).filter(isShown);
    const figures = of();
    return ["judged", "solved", "runs"].map((key) => shown.reduce((sum, at) => sum + figures[key][at], 0));
  };
  const hasFailed = data.figures[0].failed.some((failed) => failed > 0);
  const table = sortable(
    "Choose an instance for its drawing and its runs.",
    [
      { name: "instance", value: (at) => data.instances[at][ID] },
      { name: "bucket", value: (at) => data.instances[at][BUCKET] },
      { name: "runs", number: true, value: (at) => of().runs[at] },
      ...(hasFailed ? [{ name: "failed", number: true, value: (at) => of().failed[at] }] : []),
      {
        name: { solved: "solved (95 %)", gap: "mean gap %", objective: "mean objective" }[data.metric],
        number: true,
        value: (at) => of().value[at],
        show: (at) => data.figure_texts[of().shown[at]],
        ...(isSolving ? { rate: (at) => of().value[at] ?? 0 } : {}),
      },
    ],
    data.instances.map((_, at) => at),
    {
      most: 500,
      filter: isShown,
      counted: (n) => {
        const [judged, solved, runs] = counts().map((count) => count.toLocaleString("en"));
        counted.textContent = `${n} of ${data.instances.length} instances${n > 500 ? ", the first 500 are shown" : ""}: ${isSolving ? `${solved} of ${judged} runs solved` : `${runs} runs`}`;
      },
      choose: (at) => detail.replaceChildren(...instanceDetail(at, algorithms.value())),
    },
  );
  const controls = element("div", { class: "controls" }, buckets.node, algorithms.node, element("label", {}, "search", search));
  const listed = data.runs.length;
  const kept = listed < data.all_runs ? element("p", { class: "soft" }, `Rates count all ${data.all_runs.toLocaleString("en")} runs; ${listed.toLocaleString("en")} of them are listed one by one: the first of each configuration and instance.`) : null;
  section("instances", "Instances", kept, controls, counted, element("div", { class: "pick" }, table.node, detail));
}

// What all runs show on each instance, or those of an algorithm.
function figuresOf(algorithm) {
  return data.figures.find((figures) => figures.algorithm === (algorithm === "" ? null : algorithm));
}

function runsOf(instance) {
  return data.runs.filter((run) => run[INSTANCE] === instance);
}

function instanceDetail(at, algorithm) {
  const instance = data.instances[at];
  const runs = runsOf(at).filter((run) => algorithm === "" || data.configurations[run[CONFIGURATION]][0] === algorithm);
  const all = figuresOf(algorithm).runs[at];
  const whose = algorithm === "" ? "" : ` of ${algorithm}`;
  const table = sortable(
    runs.length === all ? `Its ${all.toLocaleString("en")} runs${whose}.` : `${runs.length.toLocaleString("en")} of its ${all.toLocaleString("en")} runs${whose}, the first of each configuration.`,
    [
      { name: "configuration", value: (run) => configurationName(run[CONFIGURATION]) },
      { name: "repetition", number: true, value: (run) => run[REPETITION] },
      ...(runs.some((run) => run[IS_SOLVED] !== null) ? [{ name: "solved", value: (run) => ({ 0: "no", 1: "yes" })[run[IS_SOLVED]] ?? "–" }] : []),
      ...(data.metric === "solved" ? [] : [{ name: "objective", number: true, value: (run) => run[OBJECTIVE], show: (run) => short(run[OBJECTIVE]) }]),
      ...(runs.some((run) => run[GAP] !== null) ? [{ name: "gap %", number: true, value: (run) => run[GAP], show: (run) => short(run[GAP]) }] : []),
      { name: "best fitness", number: true, value: (run) => run[BEST], show: (run) => short(run[BEST]) },
      { name: "evaluations", number: true, value: (run) => run[EVALUATIONS], show: (run) => run[EVALUATIONS].toLocaleString("en") },
      { name: "generations", number: true, value: (run) => run[GENERATIONS] },
      { name: "restarts", number: true, value: (run) => run[RESTARTS] },
      { name: "ms", number: true, value: (run) => run[MS], show: (run) => short(run[MS]) },
      ...(runs.some((run) => run[CPU] !== null) ? [{ name: "cpu ms", number: true, value: (run) => run[CPU], show: (run) => short(run[CPU]) }] : []),
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
