import { describe, expect, it } from 'vitest';
import { countryName, flagEmoji } from './country';
import { formatAge, formatCalendarDay, formatPrice, groupThousands, initials, parseAmount } from './format';

describe('figures and ages', () => {
  it('writes prices in whole US dollars with separators', () => {
    expect(formatPrice(14500)).toBe('$14,500');
  });

  it('writes a day of the calendar as it is, wherever the reader sits', () => {
    expect(formatCalendarDay('2026-11-25')).toBe('25 Nov 2026');
    expect(formatCalendarDay('2026-11-25T00:00:00+00:00')).toBe('25 Nov 2026');
  });

  it.each([
    [20, 'just now'],
    [5 * 60, '5 minutes ago'],
    [3 * 3600, '3 hours ago'],
    [26 * 3600, 'yesterday'],
    [15 * 86400, '2 weeks ago'],
    [60 * 86400, '2 Mar 2026'],
    [-30, 'just now'],
  ])('writes an age of %i seconds as %s', (seconds, text) => {
    const now = new Date('2026-05-01T12:00:00Z');
    expect(formatAge(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(text);
  });

  it.each([
    ['14500', 14500],
    ['14,500', 14500],
    ['$9,800.50', 9800.5],
    ['', null],
    ['-5', null],
    ['12 grand', null],
  ])('reads the amount %j as %s', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it('groups thousands and leaves what is no amount as it was typed', () => {
    expect(groupThousands('14500')).toBe('14,500');
    expect(groupThousands('about 9k')).toBe('about 9k');
  });

  it('takes at most two initials', () => {
    expect(initials('Kenji Tanaka')).toBe('KT');
    expect(initials('  Maria de la Cruz ')).toBe('MC');
    expect(initials('')).toBe('');
  });
});

describe('countries', () => {
  it.each(['jm', 'JM', 'Jamaica'])('knows %s', (value) => {
    expect(countryName(value)).toBe('Jamaica');
    expect(flagEmoji(value)).toBe('🇯🇲');
  });

  it('shows the globe for a country it does not know', () => {
    expect(flagEmoji('Atlantis')).toBe('🌐');
    expect(flagEmoji(null)).toBe('🌐');
    expect(countryName('Atlantis')).toBe('Atlantis');
  });
});
