import { chromium } from '@playwright/test';
const base = 'http://127.0.0.1:55009';
const names = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [w, theme] of [[1280, 'light'], [390, 'light'], [1280, 'dark'], [390, 'dark']]) {
  const ctx = await browser.newContext({ viewport: { width: w, height: 900 }, colorScheme: theme });
  const page = await ctx.newPage();
  page.on('console', (m) => m.type() === 'error' && console.log(w, theme, m.text().slice(0, 200)));
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message.slice(0, 300)));
  await page.goto(base + '/admin/login');
  await page.getByLabel('Email').fill('admin@minato.example');
  await page.locator('input[type=password]').fill('minato-demo');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(base + '/admin');
  for (const spec of names) {
    const [path, ...clicks] = spec.split('|');
    await page.goto(base + path);
    await page.waitForTimeout(1500);
    for (const c of clicks) { await page.getByRole('tab', { name: c }).or(page.getByRole('button', { name: c })).first().click(); await page.waitForTimeout(900); }
    const file = `/tmp/s9/${spec.replace(/[^a-z0-9]+/gi, '_')}-${w}-${theme}.png`;
    await page.screenshot({ path: file, fullPage: clicks.length === 0 || !clicks.some((c) => c.startsWith('Open')) });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) console.log('OVERFLOW', spec, w, overflow);
  }
  await ctx.close();
}
await browser.close();
