// Opens a report in a browser and holds it to its promises: the answer stands on the first screen, every chart is drawn and none is cut, also
// dark and on paper, the bar changes every part and the address, tables sort and filter, also by keyboard, rates under a filter count every
// run, an instance shows its board, axe finds nothing (if axe-core is there), nothing is fetched, nothing is logged.
// usage: node check_report.mjs REPORT.html [PREFIX for screenshots]; needs playwright-core, and Chromium at $CHROMIUM.
import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [file, pictures] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
const wrong = [];
page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
page.on("pageerror", (error) => wrong.push(String(error)));
page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || wrong.push(`it asks for ${request.url()}`));
await page.goto(`file://${resolve(file)}`);
await page.waitForSelector("body[data-drawn]", { timeout: 60_000 });

// The answer, its figure and the first ranks stand on the first screen.
const below = await page.evaluate(() => [".answer", "figure.main svg", "#ranking tbody tr"].map((part) => document.querySelector(part).getBoundingClientRect().top).filter((top) => top > innerHeight));
assert.deepEqual(below, [], "parts of the answer are below the first screen");

// Charts are drawn when they come into sight.
const scrolled = async () => {
  // The page grows as its charts are drawn.
  for (let at = 0; at < (await page.evaluate(() => document.documentElement.scrollHeight)); at += 300) {
    await page.evaluate((top) => scrollTo(0, top), at);
    await page.waitForTimeout(30);
  }
  await page.waitForFunction(() => document.querySelectorAll("figure:not([hidden]) .plot").length === document.querySelectorAll("figure .plot svg.marks").length, null, { timeout: 60_000 });
  await page.evaluate(() => scrollTo(0, 0));
};
await scrolled();

// What a reader chooses changes the answer and stands in the address.
const answer = () => page.locator(".answer").textContent();
const [whole, buckets] = [await answer(), await page.locator("#bar select").first().locator("option").allTextContents()];
assert(buckets.length > 1, "there are buckets");
await page.selectOption("#bar select >> nth=0", buckets[1]);
assert.notEqual(await answer(), whole);
assert((await page.evaluate(() => location.hash)).includes(`bucket=${buckets[1]}`));
await page.reload();
await page.waitForSelector("body[data-drawn]", { timeout: 60_000 });
assert.notEqual(await answer(), whole, "the address keeps what was chosen");
await page.selectOption("#bar select >> nth=0", "");
assert.equal(await answer(), whole);
await scrolled();

const charts = await page.$$eval("figure", (figures) => figures.map((figure) => figure.querySelectorAll("svg.marks path").length));
assert(charts.length > 0 && charts.every((marks) => marks > 0), `every chart has marks: ${charts}`);

// Sorting: by mouse, then back by keyboard.
const column = (number) => page.$$eval(`#tables tbody td:nth-child(${number})`, (cells) => cells.map((cell) => cell.textContent));
const before = await column(1);
const heads = page.locator("#tables th button");
const runs = (await heads.allTextContents()).indexOf("runs");
await heads.nth(runs).click();
assert.equal(await page.locator("#tables th").nth(runs).getAttribute("aria-sort"), "descending");
await heads.nth(runs).focus();
await page.keyboard.press("Enter");
assert.equal(await page.locator("#tables th").nth(runs).getAttribute("aria-sort"), "ascending");
assert.equal((await column(1)).length, before.length);

// A race has its first rows, and all of them by a button.
if ((await page.locator("#race").count()) === 1) {
  const candidates = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).race.candidates.length);
  const shown = () => page.locator("#race tbody tr").count();
  assert.equal(await shown(), Math.min(10, candidates));
  assert.equal(await page.locator("#race tbody tr").first().locator("td", { hasText: "winner" }).count(), 1);
  if (candidates > 10) await page.click("#race .more");
  assert.equal(await shown(), candidates);
}

// Filtering, and an instance by keyboard.
const rows = () => page.locator("#instances .pick > .scroll tbody tr").count();
const all = await rows();
const first = await page.locator("#instances .pick > .scroll tbody td").first().textContent();
await page.fill("#instances input[type=search]", first);
assert((await rows()) >= 1 && (await rows()) <= all);
await page.locator("#instances .pick > .scroll tbody tr").first().focus();
await page.keyboard.press("Enter");
await page.waitForSelector(".detail h3");
assert((await page.locator(".detail h3").textContent()).startsWith(first));
assert((await page.locator(".detail table").count()) >= 1);
// Its family draws it.
assert.equal(await page.locator(".detail img[alt^='instance ']").count(), 1);
await page.fill("#instances input[type=search]", "");

// No menu has two entries of one name.
for (const entries of await page.$$eval("select", (menus) => menus.map((menu) => [...menu.options].map((option) => option.text)))) {
  assert.equal(new Set(entries).size, entries.length, `two entries alike: ${entries}`);
}

// Rates under a filter are of all runs, however few are listed one by one.
const facts = await page.evaluate(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [algorithm, varied, name] = data.configurations[0];
  const isOwn = (row) => row.algorithm === algorithm && String(row.varied) === String(varied) && row.bucket !== "all";
  const of = (key) => data.summary.filter(isOwn).reduce((sum, row) => sum + row[key], 0);
  return { name, runs: of("runs"), solved: of("solved") };
});
if ((await page.locator("#ranking .more").count()) === 1) await page.click("#ranking .more");
await page.locator("#ranking .name").filter({ has: page.getByText(facts.name, { exact: true }) }).first().click();
const [, solved, filtered] = /: ([\d,]+) of ([\d,]+) runs solved/.exec(await page.locator("#instances [aria-live]").first().textContent());
assert.deepEqual([solved, filtered].map((count) => Number(count.replaceAll(",", ""))), [facts.solved, facts.runs]);
await page.locator("#instances .pick > .scroll tbody tr").first().click();
const caption = await page.locator(".detail table caption").last().textContent();
const shownRuns = await page.locator(".detail table").last().locator("tbody tr").count();
const ofInstance = await page.locator("#instances .pick > .scroll tbody tr").first().locator("td").nth(3).textContent();
assert(caption.startsWith(shownRuns === Number(ofInstance) ? `All ${ofInstance} runs` : `${shownRuns} of ${ofInstance} runs`), caption);
await page.selectOption("#instances select", "0");

// What cannot be seen can be heard.
try {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`), []);
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  console.log("skipped: there is no axe-core (npm)");
}

// The width that a chart has over its place.
const cut = () => page.$$eval("figure:not([hidden]) .plot", (plots) => Math.max(...plots.map((plot) => plot.querySelector("svg.marks").getBoundingClientRect().width - plot.clientWidth)));
const wide = () => page.$$eval("figure.wide", (figures) => figures.length);
await scrolled();
const wideBefore = await wide();
assert((await cut()) <= 1, "a chart is cut");

if (pictures) {
  await page.screenshot({ path: `${pictures}-top.png` });
  for (const id of await page.$$eval("section", (sections) => sections.map((section) => section.id))) {
    await page.locator(`#${id}`).screenshot({ path: `${pictures}-${id}.png` });
  }
}
// Dark, narrow and printed: it draws again and still logs nothing.
await page.emulateMedia({ colorScheme: "dark" });
await scrolled();
assert.equal(await wide(), wideBefore, "the other theme has charts of the same width");
assert((await cut()) <= 1, "a chart is cut in the other theme");
if (pictures) await page.locator("#charts").screenshot({ path: `${pictures}-dark-charts.png` });
// On paper, though the screen is dark: no chart and no table is wider than the paper, and what is drawn is dark on white.
await page.emulateMedia({ media: "print", colorScheme: "dark" });
await page.setViewportSize({ width: 700, height: 990 });
const paper = await page.evaluate(async () => {
  window.dispatchEvent(new Event("beforeprint"));
  // A browser's own event leaves no script running; this one does.
  await Promise.resolve().then(() => new Promise((resume) => setTimeout(resume)));
  const room = document.documentElement.clientWidth;
  const isOver = (part) => part.getBoundingClientRect().right > room + 1;
  const inks = [...document.querySelectorAll(".paper svg .role-axis-label text")].map((text) => getComputedStyle(text).fill);
  const found = {
    over: [...document.querySelectorAll("table, figure svg")].filter((part) => part.checkVisibility() && isOver(part)).length,
    drawn: [...document.querySelectorAll(".paper svg path")].length,
    inks: [...new Set(inks)],
    screen: [...document.querySelectorAll("figure .plot")].filter((plot) => plot.checkVisibility()).length,
  };
  window.dispatchEvent(new Event("afterprint"));
  return found;
});
assert(paper.over === 0 && paper.drawn > 0 && paper.screen === 0, JSON.stringify(paper));
assert.deepEqual(paper.inks, ["rgb(34, 34, 34)"], "dark on white");
await page.emulateMedia({ media: "screen", colorScheme: "dark" });
await page.setViewportSize({ width: 400, height: 800 });
const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
assert(overflow <= 1, `the page is ${overflow} pixels too wide for a small screen`);
if (pictures) await page.screenshot({ path: `${pictures}-dark.png`, fullPage: true });
await page.emulateMedia({ media: "print", colorScheme: "dark" });
if (pictures) await page.pdf({ path: `${pictures}-print.pdf`, format: "A4" });
assert.deepEqual(wrong, []);
await browser.close();
console.log(`${file}: ${charts.length} charts, ${before.length} rows, ${all} instances; nothing fetched, nothing logged`);
