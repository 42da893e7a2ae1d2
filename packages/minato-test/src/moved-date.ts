/** `Date` of this process, moved with a clock: supabase-js asks it whether a token is still good. Timers stay. */

import type { Time } from './clock.js';

const Real = Date;

/** Let `Date` tell another time, which goes on or stands; the real one again without. */
export function moveDate(time: Time | undefined): void {
  globalThis.Date = time ? movedBy(time) : Real;
}

function movedBy({ now, frozen }: Time): DateConstructor {
  const at = now.getTime();
  const offset = at - Real.now();
  const moved = () => (frozen ? at : Real.now() + offset);
  return new Proxy(Real, {
    construct: (target, given: unknown[], asked) =>
      Reflect.construct(target, given.length ? given : [moved()], asked) as Date,
    apply: () => new Real(moved()).toString(),
    get: (target, name): unknown => (name === 'now' ? moved : Reflect.get(target, name)),
  });
}
