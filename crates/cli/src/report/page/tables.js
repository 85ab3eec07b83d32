// A table with a button in the head of each column, which sorts the rows by this column. Buttons also work by keyboard.
// columns: { name, value(row) for sorting, show(row) for reading, number, rate(row) for a bar }.
function sortable(caption, columns, rows, options = {}) {
  let sorted = { at: null, ascending: true };
  const body = element("tbody");
  const heads = columns.map((column, at) =>
    element(
      "th",
      { scope: "col", class: column.number ? "number" : null },
      element("button", { type: "button", onclick: () => sort(at) }, column.name),
    ),
  );
  const table = element("table", {}, element("caption", {}, element("span", {}, caption)), element("thead", {}, element("tr", {}, heads)), body);

  function sort(at) {
    sorted = { at, ascending: sorted.at === at ? !sorted.ascending : !columns[at].number };
    fill();
  }

  function fill() {
    const shown = options.filter ? rows.filter(options.filter) : [...rows];
    if (sorted.at !== null) {
      const { value } = columns[sorted.at];
      const sign = sorted.ascending ? 1 : -1;
      // Unknown values come last in both orders.
      shown.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === null || y === null) return (x === null) - (y === null);
        return sign * (typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true }));
      });
    }
    heads.forEach((head, at) => {
      const order = sorted.at !== at ? "none" : sorted.ascending ? "ascending" : "descending";
      head.setAttribute("aria-sort", order);
      head.firstChild.textContent = columns[at].name + { none: "", ascending: " ▲", descending: " ▼" }[order];
    });
    body.replaceChildren(...shown.slice(0, options.most ?? Infinity).map(line));
    if (shown.length > (options.most ?? Infinity) && !options.counted) body.append(element("tr", {}, element("td", { colspan: columns.length }, `${shown.length - options.most} more rows are not shown: use the bar above to select rows.`)));
    if (options.counted) options.counted(shown.length);
  }

  function line(row) {
    const cells = columns.map((column) => {
      const cell = element("td", { class: column.rate ? "rate" : column.number ? "number" : null }, column.show ? column.show(row) : String(column.value(row)));
      if (column.rate) cell.style.setProperty("--share", column.rate(row));
      return cell;
    });
    if (!options.choose) return element("tr", {}, cells);
    const choose = (event) => {
      body.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
      event.currentTarget.classList.add("chosen");
      options.choose(row);
    };
    const keyed = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(event);
    };
    return element("tr", { tabindex: 0, onclick: choose, onkeydown: keyed }, cells);
  }

  fill();
  return { node: scroll(table, options.label ?? "table"), fill };
}

// A table that scrolls separately from the page, also by keyboard.
function scroll(table, label) {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
}

function definitions(entries) {
  return element("dl", {}, entries.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
}
