import { chromium } from '@playwright/test';
const [url, path, name] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const w of [390, 1280]) for (const scheme of ['light', 'dark']) {
  const c = await b.newContext({ viewport: { width: w, height: w === 390 ? 1500 : 900 }, colorScheme: scheme, reducedMotion: 'reduce' });
  const p = await c.newPage(); await p.goto(url + path); await p.waitForSelector('h1'); await p.waitForTimeout(1500);
  await p.screenshot({ path: `/tmp/sizes-shots/${name}-${w}-${scheme}.png` }); await c.close();
}
await b.close();
