/** What buyers call the state of an offer. */
import type { Post } from './data/posts-query';

export type CarAvailability = 'in-stock' | 'auction' | 'reserved' | 'sold';

type State = Pick<Post, 'availability_status' | 'auction_date'>;

// IMC-010
/** Posts know available, pending and sold; an auction makes an available car one at auction until its day is over. */
export function carAvailability(
  { availability_status: status, auction_date: auction }: State,
  now: Date,
): CarAvailability {
  if (status === 'sold') return 'sold';
  if (status === 'pending') return 'reserved';
  return auction !== null && auction.slice(0, 10) >= dayInJapan(now) ? 'auction' : 'in-stock';
}

const japan = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' });

/** Auctions are held in Japan: `'2026-11-25'`. */
function dayInJapan(now: Date): string {
  return japan.format(now);
}
