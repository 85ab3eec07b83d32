// A board from its content, "3x3 12...", its given digits bold, and what a solution fills in; a digit that stands twice is red.
(content, solution) => {
  const parts = /^(\d+)x(\d+) (\S+)$/.exec(content);
  if (parts === null) return null;
  const [rows, columns] = [Number(parts[1]), Number(parts[2])];
  const side = rows * columns;
  const given = [...parts[3]];
  const filled = solution === null ? given : [...solution];
  if (given.length !== side * side || filled.length !== side * side) return null;
  const size = 26;
  const unitsOf = (cell) => {
    const [row, column] = [Math.floor(cell / side), cell % side];
    return [row, side + column, 2 * side + Math.floor(row / rows) * rows + Math.floor(column / columns)];
  };
  const seen = new Map();
  filled.forEach((digit, cell) => unitsOf(cell).forEach((unit) => seen.set(`${unit} ${digit}`, (seen.get(`${unit} ${digit}`) ?? 0) + 1)));
  const digits = filled.map((digit, cell) => {
    if (!/^[0-9A-Za-z]$/.test(digit)) return "";
    const isTwice = unitsOf(cell).some((unit) => seen.get(`${unit} ${digit}`) > 1);
    const [x, y] = [(cell % side) * size + size / 2, Math.floor(cell / side) * size + size / 2 + 5];
    const style = `${given[cell] === digit ? ' font-weight="bold"' : ""} fill="${isTwice ? "#C0392B" : given[cell] === digit ? "#000000" : "#0072B2"}"`;
    return `<text x="${x}" y="${y}"${style}>${digit}</text>`;
  });
  const lines = [...Array(side + 1).keys()].flatMap((at) => {
    const [place, end] = [at * size, side * size];
    const line = (points, isThick) => `<path d="${points}" stroke="#222222" stroke-width="${isThick ? 2 : 0.5}"/>`;
    return [line(`M${place} 0V${end}`, at % columns === 0), line(`M0 ${place}H${end}`, at % rows === 0)];
  });
  const all = side * size + 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 ${all} ${all}" width="${all}" height="${all}" font-family="DejaVu Sans, Arial, sans-serif" font-size="15" text-anchor="middle">${lines.join("")}${digits.join("")}</svg>`;
}
