// The cities of an instance, "EUC_2D x y x y ...", and a tour through them, "3 1 2"; a matrix has no places.
(content, solution) => {
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
  const [width, height] = [0, 1].map((axis) => (high[axis] - low[axis]) * scale + 10);
  const place = ([x, y]) => [(x - low[0]) * scale + 5, height - 5 - (y - low[1]) * scale].map((at) => at.toFixed(1)).join(",");
  const step = Math.max(1, Math.ceil(cities.length / 5000));
  const radius = cities.length > 500 ? 0.8 : 2;
  const dots = cities.filter((_, at) => at % step === 0).map((city) => place(city).split(","));
  const circles = dots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="#222222"/>`).join("");
  const tour = solution === null ? [] : solution.split(" ").map((city) => cities[Number(city) - 1]);
  if (tour.includes(undefined)) return null;
  const line = tour.length === 0 ? "" : `<polygon points="${tour.map(place).join(" ")}" fill="none" stroke="#0072B2" stroke-width="${cities.length > 500 ? 0.5 : 1.2}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(1)} ${height.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}">${line}${circles}</svg>`;
}
