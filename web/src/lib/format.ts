/** Figures and times as the product writes them: US dollars, English, relative where age matters. */
import { MOST_DOLLARS } from '@/config/limits';

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const calendarDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE = 60;
const STEPS = [
  { unit: 'minute', seconds: MINUTE },
  { unit: 'hour', seconds: 60 * MINUTE },
  { unit: 'day', seconds: 24 * 60 * MINUTE },
  { unit: 'week', seconds: 7 * 24 * 60 * MINUTE },
] as const;
const RELATIVE_LIMIT = 30 * 24 * 60 * MINUTE;

// FED-024, CO2-005
/** `14500` → `'$14,500'`. */
export function formatPrice(amount: number): string {
  return dollars.format(amount);
}

/** `'2026-03-04T10:00:00Z'` → `'4 Mar 2026'`. */
export function formatDay(timestamp: string): string {
  return day.format(new Date(timestamp));
}

/** A day of the calendar, the same for readers everywhere: `'2026-11-25'` → `'25 Nov 2026'`. */
export function formatCalendarDay(date: string): string {
  return calendarDay.format(new Date(date.slice(0, 10)));
}

/** The hour and minute here: `'09:05'`. */
export function formatTime(timestamp: string): string {
  return time.format(new Date(timestamp));
}

/** `'just now'`, `'5 minutes ago'`, `'yesterday'`; the day itself once a month has passed. */
export function formatAge(timestamp: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(timestamp)) / 1000);
  if (seconds < MINUTE) return 'just now';
  if (seconds > RELATIVE_LIMIT) return formatDay(timestamp);
  const step = STEPS.findLast((candidate) => seconds >= candidate.seconds) ?? STEPS[0];
  return relative.format(-Math.floor(seconds / step.seconds), step.unit);
}

/** `'Kenji Tanaka'` → `'KT'`; at most two letters. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.[0] ?? '';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return (first + last).toUpperCase();
}

/** `'14,500 '` → `14500`; anything that is not a plain amount gives null. */
export function parseAmount(text: string): number | null {
  const plain = text.replace(/[\s,$]/g, '');
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Whether it is more than a car, a budget or a deal can come to. */
export function isTooMuch(text: string): boolean {
  return (parseAmount(text) ?? 0) > MOST_DOLLARS;
}

/** `'14500'` → `'14,500'`; text that is no amount stays as it was typed. */
export function groupThousands(text: string): string {
  const amount = parseAmount(text);
  return amount === null ? text : amount.toLocaleString('en-US');
}
