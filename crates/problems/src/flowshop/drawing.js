// The Gantt chart of a sequence of jobs, "2 1 3", for the content of an instance, "makespan 3x2 3 1 4 / 1 5 9": a row a machine.
(content, solution) => {
  const words = content.split(" ").filter((word) => word !== "/");
  const [jobs, machines] = (words[1] ?? "").split("x").map(Number);
  const times = words.slice(2).map(Number);
  if (solution === null || times.length !== jobs * machines) return null;
  const order = solution.split(" ").map((job) => Number(job) - 1);
  if (order.length !== jobs || order.some((job) => !(job >= 0 && job < jobs))) return null;
  const free = Array(machines).fill(0);
  const blocks = [];
  order.forEach((job, position) => {
    let now = 0;
    for (let machine = 0; machine < machines; machine += 1) {
      const begin = Math.max(now, free[machine]);
      now = begin + times[machine * jobs + job];
      free[machine] = now;
      blocks.push({ job, position, machine, begin, end: now });
    }
  });
  const end = free[machines - 1];
  const [left, width, row] = [30, 560, machines > 12 ? 11 : 18];
  const x = (time) => (left + (width * time) / end).toFixed(1);
  const colours = ["#0072B2", "#E69F00", "#882255", "#009E73", "#56B4E9", "#CC79A7"];
  const bars = blocks.map(({ job, position, machine, begin, end: until }) => {
    const size = (width * (until - begin)) / end;
    const label = size > 16 && row > 12 ? `<text x="${x((begin + until) / 2)}" y="${machine * row + 13}" fill="#ffffff">${job + 1}</text>` : "";
    return `<rect x="${x(begin)}" y="${machine * row + 1}" width="${size.toFixed(1)}" height="${row - 2}" fill="${colours[position % colours.length]}" stroke="#ffffff" stroke-width="0.4"><title>job ${job + 1} on machine ${machine + 1}: ${begin} to ${until}</title></rect>${label}`;
  });
  const names = [...Array(machines).keys()].map((machine) => `<text x="${left - 4}" y="${machine * row + row - 5}" text-anchor="end">${machine + 1}</text>`);
  const height = machines * row + 20;
  const axis = `<path d="M${left} ${machines * row + 2}H${left + width}" stroke="#222222"/><text x="${left}" y="${height - 4}" text-anchor="start">0</text><text x="${left + width}" y="${height - 4}" text-anchor="end">${end}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 6} ${height}" width="${left + width + 6}" height="${height}" font-family="DejaVu Sans, Arial, sans-serif" font-size="10" text-anchor="middle">${bars.join("")}${names.join("")}${axis}</svg>`;
}
