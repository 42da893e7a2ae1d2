import { describe, expect, it } from 'vitest';
import { carAvailability } from './availability';

const now = new Date('2026-03-04T10:00:00Z');
const car = (status: string, auction: string | null = null) => ({
  availability_status: status,
  auction_date: auction,
});

describe('a car', () => {
  // IMC-010
  it('is in stock, at auction while the auction lies ahead, reserved or sold', () => {
    expect(carAvailability(car('available'), now)).toBe('in-stock');
    expect(carAvailability(car('available', '2026-03-05'), now)).toBe('auction');
    expect(carAvailability(car('available', '2026-03-03'), now)).toBe('in-stock');
    expect(carAvailability(car('pending'), now)).toBe('reserved');
    expect(carAvailability(car('sold', '2026-03-05'), now)).toBe('sold');
  });

  it('is at auction until the day of it is over in Japan', () => {
    const at = (instant: string) => carAvailability(car('available', '2026-11-25'), new Date(instant));
    expect(at('2026-11-25T14:59:00Z')).toBe('auction');
    expect(at('2026-11-25T15:01:00Z')).toBe('in-stock');
  });
});
