// A board from its content, "3x3 12...", as a table.
(content) => {
  const parts = /^(\d+)x(\d+) (\S+)$/.exec(content);
  if (parts === null) return null;
  const [rows, columns] = [Number(parts[1]), Number(parts[2])];
  const side = rows * columns;
  const line = (row) =>
    element(
      "tr",
      {},
      [...Array(side).keys()].map((column) => {
        const digit = parts[3][row * side + column];
        const right = (column + 1) % columns === 0 && column + 1 < side;
        const below = (row + 1) % rows === 0 && row + 1 < side;
        return element("td", { class: `${right ? "right" : ""} ${below ? "below" : ""}` }, digit === "." ? "" : digit);
      }),
    );
  return element("table", { class: "board" }, element("tbody", {}, [...Array(side).keys()].map(line)));
}
