/** The steps a case allows in its status, as the document names them. */
import { decision } from '@/copy/back-office';
import { adminRequests as copy } from '@/copy/back-office-cases';
import { DecisionButton } from '@/features/administration/decisions/components/decision-button';
import type { RequestRow } from '../data/request-row';
import { AssignAgent } from './assign-agent';

type Step = Exclude<keyof typeof copy.actions, 'assign_agent'>;

export const STEPS: Record<RequestRow['status'], readonly Step[]> = {
  pending_approval: ['approve', 'request_more_info', 'reject'],
  pending_agent: ['cancel'],
  in_progress: ['open_dispute', 'cancel'],
  disputed: ['mediate', 'contact_parties', 'cancel'],
  completed: [],
  cancelled: [],
};
const DESTRUCTIVE: readonly Step[] = ['reject', 'cancel'];

export function RequestActions({ request }: { request: RequestRow }) {
  return (
    <>
      {request.status === 'pending_agent' && <AssignAgent request={request} />}
      {STEPS[request.status].map((step, index) => (
        <DecisionButton
          key={step}
          label={copy.actions[step]}
          question={copy.ask[step]}
          done={copy.done[step]}
          variant={DESTRUCTIVE.includes(step) ? 'destructive' : index === 0 ? 'primary' : 'outline'}
          {...(step !== 'approve' && {
            words: { label: decision.note, hint: decision.reasonHint, required: true },
          })}
          decide={(note) => ({ act: 'request', request: request.id, step, note })}
        />
      ))}
    </>
  );
}
