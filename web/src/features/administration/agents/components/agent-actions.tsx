/** What may be done with an agent in its status. Reject, ask for more and suspend tell the agent why. */
import { adminAgents as copy, decision } from '@/copy/back-office';
import { DecisionButton } from '@/features/administration/decisions/components/decision-button';
import { AccountStatusButton } from '@/features/administration/members/components/account-status-button';
import { isFeeSettled, type AgentRow } from '../data/agent-row';
import { ReviewDialog } from './review-dialog';

export function AgentActions({ agent }: { agent: AgentRow }) {
  const { status, submission } = agent;
  const isOpen = submission?.status === 'pending' || submission?.status === 'more_info';
  return (
    <>
      {isOpen && !isFeeSettled(submission) && <FeeButtons agent={agent} />}
      {status !== 'suspended' && isOpen && <ReviewButtons agent={agent} />}
      <AccountStatusButton member={agent} isSuspended={status === 'suspended'} />
    </>
  );
}

function ReviewButtons({ agent }: { agent: AgentRow }) {
  return (
    <>
      <ReviewDialog agent={agent} verdict="approve" />
      <ReviewDialog agent={agent} verdict="more_info" />
      <ReviewDialog agent={agent} verdict="reject" />
    </>
  );
}

// ONB-035
function FeeButtons({ agent }: { agent: AgentRow }) {
  const name = agent.full_name ?? agent.email;
  const id = agent.user_id;
  return (
    <>
      <DecisionButton
        variant="primary"
        label={copy.actions.received}
        question={copy.ask.received(name)}
        done={copy.done.received}
        words={{ label: decision.reference, required: false }}
        decide={(reference) => ({
          act: 'payment',
          agent: id,
          status: 'received',
          ...(reference && { reference }),
        })}
      />
      <DecisionButton
        label={copy.actions.waive}
        question={copy.ask.waive(name)}
        done={copy.done.waive}
        words={{ label: decision.reason, hint: decision.reasonHint, required: true }}
        decide={(reason) => ({ act: 'payment', agent: id, status: 'waived', reason })}
      />
      {agent.submission?.payment_status === 'claimed' && (
        <DecisionButton
          label={copy.actions.notFound}
          question={copy.ask.notFound(name)}
          done={copy.done.notFound}
          words={{ label: decision.reason, hint: decision.reasonHint, required: true }}
          decide={(reason) => ({ act: 'payment', agent: id, status: 'none', reason })}
        />
      )}
    </>
  );
}
