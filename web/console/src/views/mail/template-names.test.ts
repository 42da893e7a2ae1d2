import { expect, test } from 'vitest';
import { nameOf } from './template-names';

test('a template is called as people say it', () => {
  expect(nameOf('magic_link')).toBe('Magic link');
  expect(nameOf('email_changed_notification')).toBe('Email changed');
  expect(nameOf('mfa_factor_enrolled_notification')).toBe('MFA factor enrolled');
});
