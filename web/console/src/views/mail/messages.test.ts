import { expect, test } from 'vitest';
import type { DevEvent } from '../../dev/types';
import { causeOf, hasWords, momentText, titleOf, type Message } from './messages';

const MAIL: Message = {
  id: 'one',
  channel: 'email',
  to: 'anna@example.com',
  from: 'Minato <no-reply@example.com>',
  subject: 'Confirm your email address',
  type: 'signup',
  link: null,
  code: '123456',
  text: 'Follow the link',
  html: '<p>Follow the link</p>',
  created_at: '2026-11-22T10:00:00Z',
};
const TEXT: Message = {
  ...MAIL,
  channel: 'sms',
  subject: null,
  text: '\nYour code is 123456\nBye',
  type: 'sms',
};

function event(kind: DevEvent['kind'], given: Partial<DevEvent>): DevEvent {
  return {
    seq: 1,
    at: MAIL.created_at,
    kind,
    id: null,
    cause: null,
    level: 'info',
    title: '',
    ms: null,
    data: {},
    ...given,
  };
}

test('a mail is called by its subject, a text message by its first line', () => {
  expect(titleOf(MAIL)).toBe('Confirm your email address');
  expect(titleOf(TEXT)).toBe('Your code is 123456');
  expect(titleOf({ ...TEXT, text: '' })).toBe('');
});

test('every word of the filter has to be in what the line shows', () => {
  expect(hasWords(MAIL, '')).toBe(true);
  expect(hasWords(MAIL, ' ANNA  confirm ')).toBe(true);
  expect(hasWords(MAIL, 'signup email')).toBe(true);
  expect(hasWords(MAIL, 'anna recovery')).toBe(false);
  expect(hasWords(TEXT, 'sms code')).toBe(true);
});

test('the request behind a message is told only while the journal has it', () => {
  const sent = event('message', { cause: 'r1', data: { message_id: 'one' } });
  expect(causeOf(MAIL, [sent, event('request', { id: 'r1' })])).toBe('r1');
  expect(causeOf(MAIL, [sent])).toBeNull();
  expect(causeOf(MAIL, [event('message', { cause: 'r1', data: { message_id: 'two' } })])).toBeNull();
});

test('the day is told only where it is another one', () => {
  const moment = new Date(2026, 10, 22, 10, 5, 9);
  const time = moment.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  expect(momentText(moment.toISOString(), new Date(2026, 10, 22, 23))).toBe(time);
  expect(momentText(moment.toISOString(), new Date(2026, 10, 23))).toBe(
    `${moment.toLocaleDateString()} ${time}`,
  );
});
