import type { Submission } from './data/agent-row';

/** Whether nothing stands in the way of approving: the fee has arrived, or was waived on record. */
export function isFeeSettled(submission: Submission | null): boolean {
  return submission?.payment_status === 'received' || submission?.payment_status === 'waived';
}
