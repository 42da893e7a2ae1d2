/** What a mail server's answer means, in plain words. Its codes are SMTP's (RFC 5321, RFC 3463). */
import { adminMails } from '@/copy/back-office-mails';

type Meaning = keyof typeof adminMails.errors;

/** The first that fits counts: a server names the special case before the general one. */
const MEANINGS: readonly [RegExp, Meaning][] = [
  [/timed? ?out|timeout/i, 'timeout'],
  [
    /errno|connect|refused by host|unreachable|name or service|getaddrinfo|ssl|tls|certificate/i,
    'unreachable',
  ],
  [/\b53[0458]\b|authentication|credentials|\b5\.7\.8\b/i, 'login'],
  [/\b[45]52\b|\b[45]\.2\.2\b|quota|mailbox (is )?full|over quota/i, 'full'],
  [
    /\b55[013]\b.*(user|recipient|mailbox|address)|\b5\.1\.\d\b|no such user|unknown (user|recipient)/i,
    'address',
  ],
  [/\b5\d\d\b|\b5\.\d\.\d\b|spam|blocked|denied|rejected/i, 'refused'],
  [/\b4\d\d\b|\b4\.\d\.\d\b|greylist|try again/i, 'later'],
];

export function plainMailError(error: string): string {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(error))?.[1] ?? 'other';
  return adminMails.errors[meaning];
}
