/** What may be done with an agent in its status. Reject, ask for more and suspend tell the agent why. */
import { Button } from '@/components/ui/button';
import { adminAgents as copy, decision } from '@/copy/back-office';
import type { AgentRow } from '../data/agent-row';
import { DecisionButton } from './decision-button';
import { useOpenedDocuments } from '../data/opened-documents';
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

/** Nobody is approved unseen: 'Approve' waits until each submitted document was opened. */
function ReviewButtons({ agent }: { agent: AgentRow }) {
  const { unopened } = useOpenedDocuments(agent.submission);
  const name = agent.full_name ?? agent.email;
  return (
    <>
      {unopened.length > 0 && (
        <p id="unopened" className="basis-full text-small text-muted-foreground">
          {copy.sheet.unopened}
        </p>
      )}
      <ApproveButton agent={agent} isHeldBack={unopened.length > 0} />
      <DecisionButton
        label={copy.actions.moreInfo}
        question={copy.ask.moreInfo(name)}
        done={copy.done.moreInfo}
        words={REASON}
        decide={(note) => ({ act: 'review', agent: agent.user_id, verdict: 'more_info', note })}
      />
      <RejectButton agent={agent} />
    </>
  );
}

interface ApproveButtonProps {
  agent: AgentRow;
  isHeldBack?: boolean;
  variant?: 'primary' | 'outline';
}

export function ApproveButton({ agent, isHeldBack = false, variant = 'primary' }: ApproveButtonProps) {
  if (isHeldBack) {
    return (
      <Button size="small" disabled aria-describedby="unopened">
        {copy.actions.approve}
      </Button>
    );
  }
  return (
    <DecisionButton
      variant={variant}
      label={copy.actions.approve}
      question={copy.ask.approve(agent.full_name ?? agent.email)}
      done={copy.done.approve}
      decide={() => ({ act: 'review', agent: agent.user_id, verdict: 'approve' })}
    />
  );
}

export function RejectButton({ agent }: { agent: AgentRow }) {
  return (
    <DecisionButton
      label={copy.actions.reject}
      question={copy.ask.reject(agent.full_name ?? agent.email)}
      done={copy.done.reject}
      words={REASON}
      variant="destructive"
      decide={(note) => ({ act: 'review', agent: agent.user_id, verdict: 'reject', note })}
    />
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
