// A tour's cities from the content, "EUC_2D x y x y ...", as a drawing; a matrix has none.
(content) => {
  const words = content.split(" ");
  const each = words[0] === "EXPLICIT" ? 0 : words[0].endsWith("_3D") ? 3 : 2;
  if (each === 0) return null;
  const numbers = words.slice(1).map(Number);
  const cities = [];
  for (let at = 0; at + each <= numbers.length; at += each) {
    // Latitude comes first on the sphere.
    cities.push(words[0] === "GEO" ? [numbers[at + 1], numbers[at]] : [numbers[at], numbers[at + 1]]);
  }
  const low = [0, 1].map((axis) => cities.reduce((least, city) => Math.min(least, city[axis]), Infinity));
  const high = [0, 1].map((axis) => cities.reduce((most, city) => Math.max(most, city[axis]), -Infinity));
  const scale = 300 / Math.max(high[0] - low[0], high[1] - low[1], 1e-9);
  const size = [0, 1].map((axis) => (high[axis] - low[axis]) * scale + 10);
  const step = Math.max(1, Math.ceil(cities.length / 5000));
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  svg.setAttribute("width", size[0]);
  svg.setAttribute("height", size[1]);
  for (let at = 0; at < cities.length; at += step) {
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.setAttribute("cx", (cities[at][0] - low[0]) * scale + 5);
    dot.setAttribute("cy", size[1] - 5 - (cities[at][1] - low[1]) * scale);
    dot.setAttribute("r", cities.length > 500 ? 0.8 : 2);
    dot.setAttribute("fill", "currentColor");
    svg.append(dot);
  }
  return svg;
}
