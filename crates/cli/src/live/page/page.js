const at = document.querySelector("time"), stale = document.getElementById("stale");
const interval = Number(stale.dataset.interval);
const look = () => {
  const age = (Date.now() - Date.parse(at.dateTime)) / 1000;
  stale.hidden = !(interval > 0 && age > 5 * interval + 10);
};
look();
setInterval(look, 1000);
