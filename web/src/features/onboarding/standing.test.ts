import { describe, expect, it } from 'vitest';
import type { VerificationRecord } from './data/verification-query';
import { handedInOf, isHandedIn, newsOf, standingOf, stepsOf } from './standing';

const record: VerificationRecord = {
  id: 'one',
  status: 'pending',
  submitted_at: '2026-11-20T10:00:00Z',
  identity_document_path: 'a/identity.pdf',
  identity_document_name: 'passport.pdf',
  identity_document_status: 'waiting',
  company_proof_path: 'a/company.pdf',
  company_proof_status: 'waiting',
  payment_status: 'none',
};
const with_ = (changes: Partial<VerificationRecord>): VerificationRecord => ({ ...record, ...changes });

describe('what is needed next', () => {
  it.each([
    [null, false, 'begin'],
    [null, true, 'kept'],
    [record, true, 'fee'],
    [with_({ payment_method: 'card' }), false, 'review'],
    [with_({ payment_status: 'claimed' }), false, 'review'],
    [with_({ status: 'more_info' }), false, 'answer'],
    [with_({ status: 'rejected' }), false, 'declined'],
  ])('of %o is %s %s', (submission, wasGuest, standing) => {
    expect(standingOf(submission, wasGuest)).toBe(standing);
  });
});

describe('the steps', () => {
  it('are all to do before anything is handed in', () => {
    expect(stepsOf(null, '').map(({ state }) => state)).toEqual(['open', 'open', 'open', 'open']);
  });

  it('say that a payment was looked for and not found', () => {
    const [, , fee] = stepsOf(with_({ payment_note: 'Nothing came.' }), 'MN-1');
    expect(fee).toMatchObject({ state: 'problem', text: 'Not found: Nothing came.' });
  });

  it('say that a document was only looked at where nothing is wrong with it', () => {
    const [identity] = stepsOf(with_({ status: 'rejected' }), '');
    expect(identity).toMatchObject({ state: 'done', text: 'Handed in on 20 Nov 2026' });
  });
});

describe('a paper that was handed in', () => {
  it('has to come again when it was sent back', () => {
    const refused = with_({ identity_document_status: 'refused', identity_document_note: 'Blurred.' });
    expect(isHandedIn(record, 'identity_document')).toBe(true);
    expect(isHandedIn(refused, 'identity_document')).toBe(false);
    expect(handedInOf(refused, 'identity_document')).toMatchObject({ name: 'passport.pdf', isRefused: true });
    expect(handedInOf(null, 'identity_document')).toBeUndefined();
  });
});

describe('news', () => {
  it.each([
    [with_({ status: 'approved' }), 'verified'],
    [with_({ status: 'rejected' }), 'declined'],
    [with_({ status: 'more_info' }), 'moreInfo'],
    [with_({ payment_status: 'received' }), 'received'],
    [with_({ payment_status: 'waived' }), 'waived'],
    [with_({ payment_status: 'claimed' }), null],
    [with_({ company_proof_status: 'accepted' }), null],
    [with_({ id: 'another' }), null],
    [null, null],
  ])('of %o is %s', (now, news) => {
    expect(newsOf(record, now)).toBe(news);
  });

  it('is none at the first look', () => {
    expect(newsOf(null, record)).toBeNull();
  });
});
