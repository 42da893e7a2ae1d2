/** What long lists ask for, how much of them stands in the page, and where the reader is. */
import type { Page } from '@playwright/test';
import { app } from '@/copy/app';

export const MOST_NODES = 1_500;
const LISTS =
  /\/rest\/v1\/(rpc\/((search|count)_(offers|requests)|(offer|request|review|invitation)_changes|invitation_counts|offer_facets|review_figures)|saved_posts|reviews|invitations|agent_posts|car_requests|follows)/;

export const showMore = (page: Page) => page.getByRole('button', { name: app.showMore, exact: true });
export const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

/** What the page asks about offers from now on. */
export function asksOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'OPTIONS' && LISTS.test(request.url()))
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return asked;
}

interface Place {
  /** Its number in the list, from 0. */
  row: number;
  /** What names it wherever it stands. */
  id: string | null;
  top: number;
}

/** Asks the page, and the one that takes its place where Back or a reload is not over yet. */
async function ask<Answer>(page: Page, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    if (!String(error).includes('Execution context was destroyed')) throw error;
    await page.waitForLoadState();
    return question();
  }
}

/** The row at the upper edge of the window, and how far above or below it begins. */
export function place(page: Page): Promise<Place> {
  const question = () => {
    const rows = [...document.querySelectorAll('main [data-place]')];
    // As much is covered by the head of the page.
    const row = rows.find((element) => element.getBoundingClientRect().bottom > 96);
    const top = row ? Math.round(row.getBoundingClientRect().top) : 0;
    const [number, id] = ['data-place', 'data-row'].map((name) => row?.getAttribute(name) ?? null);
    return { row: Number(number ?? -1), id: id ?? null, top };
  };
  return ask(page, () => page.evaluate(question));
}

/** So many rows behind the one at the upper edge, or before it. */
export async function rowAt(page: Page, behind: number): Promise<Place> {
  const { row: edge } = await place(page);
  return page.locator(`main [data-place="${edge + behind}"]`).evaluate((row) => ({
    row: Number(row.getAttribute('data-place')),
    id: row.getAttribute('data-row'),
    top: Math.round(row.getBoundingClientRect().top),
  }));
}

/** Whether the same row stands where it stood, whatever came or went above it; a pixel is rounded. */
export async function isThere(page: Page, { id, top }: Place): Promise<boolean> {
  const now = await place(page);
  return id !== null && now.id === id && Math.abs(now.top - top) <= 2;
}

/** How far below the upper edge of the window a row begins; NaN where it is not drawn. */
export function topOf(page: Page, id: string | null): Promise<number> {
  const question = (name: string | null) => {
    const row = document.querySelector(`main [data-row="${name}"]`);
    return row ? Math.round(row.getBoundingClientRect().top) : NaN;
  };
  return ask(page, () => page.evaluate(question, id));
}
