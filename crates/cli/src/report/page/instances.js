// Instances: a table to sort and filter. For a chosen instance, its drawing and its runs are shown.
const [ID, BUCKET, PROBLEM, CONTENT] = Array(4).keys();
const [CONFIGURATION, INSTANCE, REPETITION, IS_SOLVED, BEST, EVALUATIONS, GENERATIONS, RESTARTS, MS, STOP, NUMBER, OBJECTIVE, GAP, CPU] = Array(14).keys();

let chosenRuns = null;

function instancesSection() {
  const options = data.figures.map((figures, at) => element("option", { value: String(at) }, figures.name ?? "all"));
  const select = element("select", { onchange: () => table.fill() }, options);
  const figures = () => data.figures[Number(select.value)];
  const search = element("input", { type: "search", oninput: () => table.fill() });
  const counted = element("p", { class: "soft", "aria-live": "polite" });
  const detail = element("div", { class: "detail", "aria-live": "polite" });
  const isSolving = data.metric === "solved";
  const isIn = (at) =>
    (state.bucket === null || data.instances[at][BUCKET] === state.bucket) && data.instances[at][ID].toLowerCase().includes(search.value.toLowerCase());
  // The numbers of runs on the instances that pass the filter.
  const counts = () => {
    const shown = data.instances.map((_, at) => at).filter(isIn);
    return ["judged", "solved", "runs"].map((key) => shown.reduce((sum, at) => sum + figures()[key][at], 0));
  };
  const hasFailed = data.figures[0].failed.some((failed) => failed > 0);
  const table = sortable(
    "Choose an instance to see its drawing and its runs.",
    [
      { name: "instance", value: (at) => data.instances[at][ID] },
      { name: "bucket", value: (at) => data.instances[at][BUCKET] },
      {
        name: { solved: "solved (95 %)", gap: "mean gap %", objective: "mean objective" }[data.metric],
        number: true,
        value: (at) => figures().value[at],
        show: (at) => data.figure_texts[figures().shown[at]],
        ...(isSolving ? { rate: (at) => figures().value[at] ?? 0 } : {}),
      },
      { name: "runs", number: true, value: (at) => figures().runs[at] },
      ...(hasFailed ? [{ name: "failed", number: true, value: (at) => figures().failed[at] }] : []),
    ],
    data.instances.map((_, at) => at),
    {
      most: 500,
      label: "table of instances",
      filter: isIn,
      counted: (n) => {
        const [judged, solved, runs] = counts().map((count) => count.toLocaleString("en"));
        counted.textContent = `${n} of ${data.instances.length} instances${n > 500 ? ", the first 500 are shown" : ""}: ${isSolving ? `${solved} of ${judged} runs solved` : `${runs} runs`}`;
      },
      choose: (at) => detail.replaceChildren(...instanceDetail(at, figures())),
    },
  );
  const controls = element("div", { class: "controls" }, element("label", {}, "runs of", select), element("label", {}, "search", search));
  const listed = data.runs.length;
  const kept = listed < data.all_runs ? element("p", { class: "soft" }, `Rates count all ${data.all_runs.toLocaleString("en")} runs; ${listed.toLocaleString("en")} of these runs are listed: the first runs of each configuration and instance.`) : null;
  section("instances", "Instances and runs", failuresOf(), kept, controls, counted, element("div", { class: "pick" }, table.node, detail));
  follows(() => table.fill());
  chosenRuns = (configuration) => {
    const at = data.figures.findIndex((figures) => figures.name !== null && figures.configurations.includes(configuration));
    select.value = String(Math.max(at, 0));
    table.fill();
    detail.replaceChildren();
    document.getElementById("instances").scrollIntoView();
  };
}

// Shows the runs of a configuration.
function showRuns(configuration) {
  chosenRuns?.(configuration);
}

// The reasons why runs failed. Each reason has a command that repeats one of its runs.
function failuresOf() {
  if (data.failures.length === 0) return null;
  const line = ([reason, count, run]) => element("li", {}, `${count.toLocaleString("en")} ${count === 1 ? "run" : "runs"}: `, element("code", {}, reason), " ", replayButton({ [NUMBER]: run }));
  const [told, all] = [data.failures, data.figures[0].failed.map((failed) => [null, failed])].map((parts) => parts.reduce((sum, [, count]) => sum + count, 0));
  const part = told < all ? element("p", { class: "soft" }, `Reasons are shown for ${told.toLocaleString("en")} of ${all.toLocaleString("en")} failed runs.`) : null;
  return element("div", { class: "failures" }, element("h3", {}, "Why runs failed"), part, element("ul", {}, data.failures.map(line)));
}

function runsOf(instance) {
  return data.runs.filter((run) => run[INSTANCE] === instance);
}

function instanceDetail(at, figures) {
  const instance = data.instances[at];
  const runs = runsOf(at).filter((run) => figures.name === null || figures.configurations.includes(run[CONFIGURATION]));
  const all = figures.runs[at];
  const whose = figures.name === null ? "" : ` of ${figures.name}`;
  const table = sortable(
    runs.length === all ? `All ${all.toLocaleString("en")} runs${whose} on this instance.` : `${runs.length.toLocaleString("en")} of ${all.toLocaleString("en")} runs${whose} on this instance: the first runs of each configuration.`,
    [
      { name: "configuration", value: (run) => data.configurations[run[CONFIGURATION]][2] },
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
    { most: 500, label: `table of runs on ${instance[ID]}` },
  );
  const heading = element("h3", {}, `${instance[ID]}${instance[BUCKET] ? `, ${instance[BUCKET]}` : ""}`);
  return [element("div", {}, heading, ...drawings(at)), element("div", {}, table.node)];
}

// A button that copies the command that repeats a run.
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

// An instance and the best solution that a run found. If the family cannot draw them, their text is shown.
function drawings(at) {
  const [id, , problem, content] = data.instances[at];
  if (content === null) return [element("p", { class: "soft" }, "the content of this instance is not known")];
  const best = data.solutions.find(([instance]) => instance === at);
  const draw = familyDrawings[problem];
  const drawn = (solution, label) => {
    const svg = draw === undefined ? null : draw(content, solution);
    if (svg === null) return element("pre", {}, solution ?? content);
    const image = element("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: label, class: "drawing" });
    return image;
  };
  if (best === undefined) return [drawn(null, `instance ${id}`)];
  const [, run, solution, told] = best;
  return [drawn(solution, `instance ${id} with the best solution that was found`), element("p", { class: "soft" }, `the best solution of all runs: run ${run}, ${told}`)];
}
