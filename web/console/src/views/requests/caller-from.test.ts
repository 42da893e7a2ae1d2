import { expect, test } from 'vitest';
import { callerFrom } from './caller-from';

test('A caller is who asked, a role, a user, claims or a token', () => {
  expect(callerFrom('same', '')).toBe('same');
  expect(callerFrom('anon', 'left over')).toBe('anon');
  expect(callerFrom('user', ' anna@example.com ')).toEqual({ user: 'anna@example.com' });
  expect(callerFrom('claims', '{"sub": "7"}')).toEqual({ claims: { sub: '7' } });
  expect(callerFrom('token', 'eyJ')).toEqual({ token: 'eyJ' });
});

test('What says nobody is none', () => {
  expect(callerFrom('user', ' ')).toBeUndefined();
  for (const wrong of ['[1]', 'null', '{'] as const) expect(callerFrom('claims', wrong)).toBeUndefined();
});
