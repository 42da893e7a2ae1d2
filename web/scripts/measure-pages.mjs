/**
 * How long a person with a slow phone (`slow-phone.mjs`) waits. `node scripts/measure-pages.mjs URL ROUNDS` prints JSON;
 * `make bench ARGS="--part web"` runs it.
 */
import { launch, median, slowPhone } from './slow-phone.mjs';

const [url, rounds = '3'] = process.argv.slice(2);
const PAGES = [
  { name: 'landing', path: '/', ready: 'h1' },
  { name: 'auth', path: '/auth', ready: 'input[type=email]' },
  { name: 'agent sign-in', path: '/agent/signin', ready: 'input[type=email]' },
  { name: 'importer sign-in', path: '/importer/signin', ready: 'input[type=email]' },
  { name: 'importer sign-up', path: '/importer/signup', ready: 'input[type=email]' },
];
const browser = await launch();
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
  const { context, page } = await slowPhone(browser);
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
  const names = Object.keys(visits[0]);
  return Object.fromEntries(
    names.map((name) => [name, Number(median(visits.map((visit) => visit[name])).toFixed(2))]),
  );
}
