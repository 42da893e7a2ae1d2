/**
 * When the first row of each list is on the screen of a slow phone (`slow-phone.mjs`), with few rows and with many.
 * On stdin as JSON: rounds, the servers by name (url, and the session of each person), and the screens (person, path).
 * The servers take turns, so that what else the machine does falls on all of them. Prints medians in ms as JSON;
 * `make bench ARGS="--part first-row"` runs it.
 */
import { readFileSync } from 'node:fs';
import { launch, median, slowPhone } from './slow-phone.mjs';

const { rounds, servers, screens } = JSON.parse(readFileSync(0, 'utf8'));
const browser = await launch();
const figures = {};
for (const { person, path } of screens) {
  const visits = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, { url, sessions }] of Object.entries(servers))
      visits[name].push(await firstRow(url + path, sessions[person]));
  figures[path] = Object.fromEntries(Object.entries(visits).map(([name, took]) => [name, median(took)]));
}
await browser.close();
console.log(JSON.stringify(figures));

/** A first visit of somebody who is signed in: nothing is cached. */
async function firstRow(address, session) {
  const { context, page } = await slowPhone(browser);
  await page.addInitScript(watch, session);
  await page.goto(address, { waitUntil: 'commit', timeout: 60_000 });
  await page.waitForFunction(() => window.firstRow > 0, undefined, { timeout: 60_000 });
  const took = await page.evaluate(() => window.firstRow);
  await context.close();
  return took;
}

/** Runs in the page, before the app does. */
function watch(session) {
  const [project] = location.hostname.split('.');
  localStorage.setItem(`sb-${project}-auth-token`, JSON.stringify(session));
  const look = () => {
    const row = document.querySelector('main article, main section li button');
    // The frame after the one in which it was drawn.
    if (row?.checkVisibility()) requestAnimationFrame(() => (window.firstRow = performance.now()));
    else requestAnimationFrame(look);
  };
  look();
}
