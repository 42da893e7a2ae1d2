/** What may be done with an agent in its status. Reject, ask for more and suspend tell the agent why. */
import { adminAgents as copy, decision } from '@/copy/back-office';
import type { AgentRow } from '../data/lists';
import { DecisionButton } from './decision-button';
import { AccountStatusButton } from './account-status-button';

const REASON = { label: decision.reason, hint: decision.reasonHint, required: true };

export function AgentActions({ agent }: { agent: AgentRow }) {
  const { status, submission } = agent;
  const isOpen = submission?.status === 'pending' || submission?.status === 'more_info';
  return (
    <>
      {status === 'payment_pending' && <PaymentReceived agent={agent} />}
      {status !== 'suspended' && isOpen && <ReviewButtons agent={agent} />}
      <AccountStatusButton member={agent} isSuspended={status === 'suspended'} />
    </>
  );
}

/** Approve and Reject, as a pending agent has them in every list. */
export function ReviewButtons({ agent, withMoreInfo = true }: { agent: AgentRow; withMoreInfo?: boolean }) {
  const name = agent.full_name ?? agent.email;
  const id = agent.user_id;
  return (
    <>
      <DecisionButton
        variant="primary"
        label={copy.actions.approve}
        question={copy.ask.approve(name)}
        done={copy.done.approve}
        decide={() => ({ act: 'review', agent: id, verdict: 'approve' })}
      />
      {withMoreInfo && (
        <DecisionButton
          label={copy.actions.moreInfo}
          question={copy.ask.moreInfo(name)}
          done={copy.done.moreInfo}
          words={REASON}
          decide={(note) => ({ act: 'review', agent: id, verdict: 'more_info', note })}
        />
      )}
      <DecisionButton
        label={copy.actions.reject}
        question={copy.ask.reject(name)}
        done={copy.done.reject}
        words={REASON}
        variant="destructive"
        decide={(note) => ({ act: 'review', agent: id, verdict: 'reject', note })}
      />
    </>
  );
}

function PaymentReceived({ agent }: { agent: AgentRow }) {
  return (
    <DecisionButton
      label={copy.actions.received}
      question={copy.ask.received(agent.full_name ?? agent.email)}
      done={copy.done.received}
      words={{ label: decision.reference, required: false }}
      decide={(reference) => ({
        act: 'payment',
        agent: agent.user_id,
        status: 'received',
        ...(reference && { reference }),
      })}
    />
  );
}
