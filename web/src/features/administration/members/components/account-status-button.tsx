import { adminAgents as copy, decision } from '@/copy/back-office';
import { DecisionButton } from '@/features/administration/decisions/components/decision-button';
import type { Member } from '../data/member';

/** Suspend an account, for a reason its owner reads, or take it back. */
export function AccountStatusButton({ member, isSuspended }: { member: Member; isSuspended: boolean }) {
  const name = member.full_name ?? member.email;
  const user = member.user_id;
  return isSuspended ? (
    <DecisionButton
      variant="primary"
      label={copy.actions.reactivate}
      question={copy.ask.reactivate(name)}
      done={copy.done.reactivate}
      decide={() => ({ act: 'status', user, status: 'active' })}
    />
  ) : (
    <DecisionButton
      variant="destructive"
      label={copy.actions.suspend}
      question={copy.ask.suspend(name)}
      done={copy.done.suspend}
      words={{ label: decision.reason, hint: decision.reasonHint, required: true }}
      decide={(reason) => ({ act: 'status', user, status: 'suspended', reason })}
    />
  );
}
