import { describe, expect, it } from 'vitest';
import { adminMails } from '@/copy/back-office-mails';
import { plainMailError } from './mail-error';

const { errors } = adminMails;

describe('what a mail server said', () => {
  it.each([
    ['Error connecting to 127.0.0.1 on port 9: [Errno 111] Connect call failed', errors.unreachable],
    ['Timed out connecting to smtp.example.com on port 587', errors.timeout],
    ['(535, "5.7.8 Authentication credentials invalid")', errors.login],
    ['(550, "5.1.1 <anna@example.com>: Recipient address rejected: User unknown")', errors.address],
    ['(552, "5.2.2 Mailbox full")', errors.full],
    ['(554, "5.7.1 Message rejected as spam")', errors.refused],
    ['(451, "4.7.1 Greylisted, please try again later")', errors.later],
    ['Something nobody thought of', errors.other],
  ])('%s', (said, plain) => {
    expect(plainMailError(said)).toBe(plain);
  });
});
