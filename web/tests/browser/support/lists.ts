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
  row: number;
  top: number;
}

/** The row at the upper edge of the window, and how far above or below it begins. */
export function place(page: Page): Promise<Place> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('main [data-place]')];
    const row = rows.find((element) => element.getBoundingClientRect().bottom > 100);
    const top = row ? Math.round(row.getBoundingClientRect().top) : 0;
    return { row: Number(row?.getAttribute('data-place') ?? -1), top };
  });
}

/** Rows above were drawn anew meanwhile, and a line of text more or less moves a row by its height. */
export async function isThere(page: Page, { row, top }: Place): Promise<boolean> {
  const now = await place(page);
  return now.row === row && Math.abs(now.top - top) < 80;
}
