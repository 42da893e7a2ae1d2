import { beforeEach, describe, expect, it } from 'vitest';
import { isDemoKey, isPersonalKey, removeKeys } from './storage-keys';

const KEYS = [
  'supabase.auth.token',
  'sb-127-auth-token',
  'agentData',
  'importerData',
  'demo-tour',
  'theme',
  'cart',
];

describe('what leaves the browser', () => {
  beforeEach(() => {
    for (const storage of [localStorage, sessionStorage]) {
      storage.clear();
      KEYS.forEach((key) => storage.setItem(key, 'x'));
    }
  });

  // SES-005
  it('takes sessions and drafts out of both storages at sign-out and leaves the rest', () => {
    removeKeys(isPersonalKey);
    expect(Object.keys(localStorage).sort()).toEqual(['cart', 'theme']);
    expect(Object.keys(sessionStorage).sort()).toEqual(['cart', 'theme']);
  });

  it("takes agent and demo data, but no session, when 'Get Started' is pressed", () => {
    removeKeys(isDemoKey);
    expect(Object.keys(localStorage).sort()).toEqual([
      'cart',
      'importerData',
      'sb-127-auth-token',
      'supabase.auth.token',
      'theme',
    ]);
  });
});
