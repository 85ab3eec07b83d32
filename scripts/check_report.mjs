// Opens a report in a browser and holds it to its promises: every chart is drawn, tables sort and filter, also by keyboard,
// an instance shows its board, nothing is fetched, nothing is logged.
// usage: node check_report.mjs REPORT.html [PREFIX for screenshots]; needs playwright-core, and Chromium at $CHROMIUM.
import { strict as assert } from "node:assert";
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
assert.equal(await page.locator(".detail [aria-label^='instance ']").count(), 1);
await page.fill("#instances input[type=search]", "");

if (pictures) {
  await page.screenshot({ path: `${pictures}-top.png` });
  for (const id of await page.$$eval("section", (sections) => sections.map((section) => section.id))) {
    await page.locator(`#${id}`).screenshot({ path: `${pictures}-${id}.png` });
  }
}
// Dark, narrow and printed: it draws again and still logs nothing.
await page.evaluate(() => document.body.removeAttribute("data-drawn"));
await page.emulateMedia({ colorScheme: "dark" });
await page.waitForSelector("body[data-drawn]", { timeout: 60_000 });
await page.setViewportSize({ width: 400, height: 800 });
const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
assert(overflow <= 1, `the page is ${overflow} pixels too wide for a small screen`);
if (pictures) await page.screenshot({ path: `${pictures}-dark.png`, fullPage: true });
await page.emulateMedia({ media: "print" });
if (pictures) await page.pdf({ path: `${pictures}-print.pdf` });
assert.deepEqual(wrong, []);
await browser.close();
console.log(`${file}: ${charts.length} charts, ${before.length} rows, ${all} instances; nothing fetched, nothing logged`);
