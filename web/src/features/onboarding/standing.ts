/** What a submission means to its agent: what is done, what is open, and why something came back. */
import { verification as copy } from '@/copy/verification';
import { formatDay } from '@/lib/format';
import type { HandedIn } from './components/document-tray';
import type { VerificationRecord } from './data/verification-query';

export type StepState = keyof typeof copy.state;

export interface Step {
  title: string;
  state: StepState;
  text: string;
}

/** What is needed next: it decides the sentence, the badge and the button. */
export type Standing = keyof typeof copy.standing;

type Paper = 'identity_document' | 'company_proof';

export function isSettled(submission: VerificationRecord | null): boolean {
  return submission?.payment_status === 'received' || submission?.payment_status === 'waived';
}

export function standingOf(submission: VerificationRecord | null, wasGuest: boolean): Standing {
  switch (submission?.status) {
    case 'more_info':
      return 'answer';
    case 'rejected':
      return 'declined';
    case 'pending':
      return submission.payment_status === 'none' && submission.payment_method !== 'card' ? 'fee' : 'review';
    default:
      return wasGuest ? 'kept' : 'begin';
  }
}

export function stepsOf(submission: VerificationRecord | null, reference: string): Step[] {
  return [
    { title: copy.steps.identity, ...paperStep(submission, 'identity_document') },
    { title: copy.steps.company, ...paperStep(submission, 'company_proof') },
    { title: copy.steps.fee, ...feeStep(submission, reference) },
    { title: copy.steps.review, ...reviewStep(submission) },
  ];
}

type State = Omit<Step, 'title'>;

function paperStep(submission: VerificationRecord | null, paper: Paper): State {
  if (!submission?.[`${paper}_path`]) return { state: 'open', text: copy.document.open };
  const { submitted_at, documents_checked_at: checkedAt } = submission;
  switch (submission[`${paper}_status`]) {
    case 'refused':
      return { state: 'problem', text: copy.document.refused(submission[`${paper}_note`] ?? '') };
    case 'accepted':
      return {
        state: 'done',
        text: checkedAt ? copy.document.acceptedOn(formatDay(checkedAt)) : copy.document.accepted,
      };
    default:
      // judged with the whole, and nothing said of it
      if (submission.status !== 'pending')
        return { state: 'done', text: copy.document.kept(formatDay(submitted_at)) };
      return { state: 'current', text: copy.document.waitingSince(formatDay(submitted_at)) };
  }
}

function feeStep(submission: VerificationRecord | null, reference: string): State {
  const { payment_status, payment_settled_at: settledAt, payment_claimed_at: claimedAt } = submission ?? {};
  switch (payment_status) {
    case 'received':
      return {
        state: 'done',
        text: settledAt ? copy.fee.receivedOn(formatDay(settledAt)) : copy.fee.received,
      };
    case 'waived':
      return { state: 'done', text: copy.fee.waived(submission?.payment_note ?? '') };
    case 'claimed':
      return {
        state: 'current',
        text: claimedAt ? copy.fee.claimedOn(formatDay(claimedAt)) : copy.fee.claimed,
      };
    default:
      return unpaidStep(submission, reference);
  }
}

function unpaidStep(submission: VerificationRecord | null, reference: string): State {
  if (submission?.payment_note) return { state: 'problem', text: copy.fee.missing(submission.payment_note) };
  if (submission?.payment_method === 'card') return { state: 'current', text: copy.fee.card };
  return { state: 'open', text: reference === '' ? copy.fee.open : copy.fee.reference(reference) };
}

function reviewStep(submission: VerificationRecord | null): State {
  if (!submission) return { state: 'open', text: copy.review.open };
  const { status, submitted_at, reviewed_at, review_note } = submission;
  const day = formatDay(reviewed_at ?? submitted_at);
  const note = review_note ?? copy.review.seeDocuments;
  if (status === 'approved') return { state: 'done', text: copy.review.verified(day) };
  if (status === 'rejected') return { state: 'problem', text: copy.review.declined(day, note) };
  if (status === 'more_info') return { state: 'problem', text: copy.review.moreInfo(day, note) };
  return { state: 'current', text: copy.review.submitted(formatDay(submitted_at)) };
}

/** A paper that lies with the team; undefined when it has to be chosen. */
export function handedInOf(submission: VerificationRecord | null, paper: Paper): HandedIn | undefined {
  if (!submission?.[`${paper}_path`] || submission.status === 'approved') return undefined;
  const { state, text } = paperStep(submission, paper);
  return { name: submission[`${paper}_name`] ?? null, note: text, isRefused: state === 'problem' };
}

/** What came back has to come again. */
export function isHandedIn(submission: VerificationRecord | null, paper: Paper): boolean {
  const handedIn = handedInOf(submission, paper);
  return handedIn !== undefined && !handedIn.isRefused;
}

export type News = keyof typeof copy.news;

/** What happened between two looks, as far as it is worth a word. */
export function newsOf(before: VerificationRecord | null, now: VerificationRecord | null): News | null {
  if (!before || before.id !== now?.id) return null;
  if (before.status !== now.status) return statusNews[now.status];
  if (before.payment_status !== now.payment_status) return paymentNews[now.payment_status];
  return null;
}

const statusNews = {
  approved: 'verified',
  rejected: 'declined',
  more_info: 'moreInfo',
  pending: null,
} as const;
const paymentNews = { received: 'received', waived: 'waived', none: 'missing', claimed: null } as const;
