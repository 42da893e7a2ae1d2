import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onReach } from './reach';

const told: string[] = [];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <a href="/cars?tab=auction"><b>Cars</b></a><a href="/agents">Agents</a>
    <a href="/tab" target="_blank">Tab</a><a href="https://cars.example/x">Away</a><a download href="/file">File</a>`;
  told.length = 0;
  stop = onReach(({ pathname, search }) => told.push(pathname + search));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const fire = (name: string, selector: string) =>
  document.querySelector(selector)?.dispatchEvent(new Event(name, { bubbles: true }));

it('tells of the link on which the pointer rests, not of those it passes', () => {
  fire('pointerover', '[href="/agents"]');
  fire('pointerout', '[href="/agents"]');
  fire('pointerover', 'b');
  vi.runAllTimers();
  expect(told).toEqual(['/cars?tab=auction']);
});

it('tells of the link that has the focus, and at once of the one a finger touches', () => {
  fire('focusin', '[href="/agents"]');
  vi.runAllTimers();
  fire('touchstart', 'b');
  expect(told).toEqual(['/agents', '/cars?tab=auction']);
});

it('tells of no file, no other tab, no other site and no page that stands already', () => {
  window.history.pushState(null, '', '/agents');
  for (const selector of ['[target]', '[download]', '[href*=example]', '[href="/agents"]'])
    fire('touchstart', selector);
  expect(told).toEqual([]);
});

it('tells of nothing where megabytes are counted', () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  fire('touchstart', 'b');
  Object.defineProperty(navigator, 'connection', { value: undefined, configurable: true });
  expect(told).toEqual([]);
});
