/**
 * How long a person with a slow phone waits: a 390 px screen, 1.6 Mbit/s, 150 ms, a processor four times slower than
 * this one. `node scripts/measure-pages.mjs URL ROUNDS` prints JSON; `make bench ARGS="--part web"` runs it.
 */
import { chromium } from '@playwright/test';

const [url, rounds = '3'] = process.argv.slice(2);
const PAGES = [
  { name: 'landing', path: '/', ready: 'h1' },
  { name: 'auth', path: '/auth', ready: 'input[type=email]' },
  { name: 'agent sign-in', path: '/agent/signin', ready: 'input[type=email]' },
  { name: 'importer sign-in', path: '/importer/signin', ready: 'input[type=email]' },
  { name: 'importer sign-up', path: '/importer/signup', ready: 'input[type=email]' },
];
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER = 4;

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const figures = {};
for (const page of PAGES) {
  const visits = [];
  for (let round = 0; round < Number(rounds); round += 1) visits.push(await visit(page));
  figures[page.name] = medians(visits);
}
await browser.close();
console.log(JSON.stringify(figures));

/** A first visit: nothing is cached. */
async function visit({ path, ready }) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch, ready);
  await page.goto(url + path, { waitUntil: 'load', timeout: 60_000 });
  await page.waitForFunction(() => window.measured.ready > 0, undefined, { timeout: 60_000 });
  // Until nothing more comes, so that the largest paint is the last one.
  await page.waitForLoadState('networkidle');
  const measured = await page.evaluate(() => window.measured);
  await context.close();
  return measured;
}

/** Runs in the page. */
function watch(ready) {
  window.measured = { first: 0, largest: 0, ready: 0, shift: 0, files: 0, kilobytes: 0, before: 0 };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (window.measured.largest = startTime));
  observe(
    'paint',
    ({ name, startTime }) => name === 'first-contentful-paint' && (window.measured.first = startTime),
  );
  observe('layout-shift', ({ value }) => (window.measured.shift += value));
  observe('resource', ({ encodedBodySize, responseEnd }) => {
    const { ready } = window.measured;
    window.measured.files += 1;
    window.measured.kilobytes += encodedBodySize / 1000;
    if (ready === 0 || responseEnd <= ready) window.measured.before += encodedBodySize / 1000;
  });
  const look = () => {
    if (document.querySelector(ready)) window.measured.ready = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

function medians(visits) {
  const middle = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];
  const names = Object.keys(visits[0]);
  return Object.fromEntries(
    names.map((name) => [name, Number(middle(visits.map((visit) => visit[name])).toFixed(2))]),
  );
}
