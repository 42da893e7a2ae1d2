import { useId, useState } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { Avatar } from '@/components/ui/avatar';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Label } from '@/components/ui/label';
import { Textarea } from '@/components/ui/textarea';
import { limitOf } from '@/config/limits';
import { invitationsPanel as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { card } from '@/copy/posts';
import { standing } from '@/copy/standing';
import { useIsMemberSuspended } from '@/lib/auth/standing';
import { messageOf } from '@/lib/errors';
import { formatAge } from '@/lib/format';
import { toastError, toastSuccess } from '@/lib/toast';
import { useAnswerInvitation, type InvitationAnswer } from '../data/invitation-answer-mutation';
import type { Invitation } from '../data/invitation-answers';
import { AssignedNote } from './invitation-status';

export function OpenInvitation({ invitation, now }: { invitation: Invitation; now: Date }) {
  const { mutate, isPending, variables } = useAnswerInvitation();
  const [reply, setReply] = useState<string | null>(null);
  const name = invitation.agent.full_name ?? card.unknownAgent;
  const isAgentSuspended = useIsMemberSuspended(invitation.agent_id);
  const answer = (status: InvitationAnswer['status']) =>
    mutate(
      { id: invitation.id, status, reply: reply ?? '' },
      {
        onSuccess: () => toastSuccess(copy[status].title, copy[status].text(name)),
        onError: (error) => toastError(errors.title, messageOf(error, copy.failed)),
      },
    );
  return (
    <div className="space-y-3 p-4 sm:p-5">
      <Sender invitation={invitation} name={name} now={now} />
      <AssignedNote invitation={invitation} side="importer" />
      {invitation.message && (
        <p dir="auto" className="break-words whitespace-pre-line">
          {invitation.message}
        </p>
      )}
      {reply === null ? (
        <Button size="inline" variant="link" onClick={() => setReply('')} className="text-small">
          {copy.reply}
        </Button>
      ) : (
        <Reply value={reply} onChange={setReply} />
      )}
      {isAgentSuspended && <p className="text-muted-foreground">{standing.invitation(name)}</p>}
      <div className="grid grid-cols-2 gap-2">
        <BusyButton
          writes
          size="small"
          disabled={isAgentSuspended}
          busy={isPending && variables.status === 'accepted'}
          busyText={copy.accepting}
          onClick={() => answer('accepted')}
        >
          {copy.accept}
        </BusyButton>
        <BusyButton
          writes
          size="small"
          variant="outline"
          busy={isPending && variables.status === 'declined'}
          busyText={copy.declining}
          onClick={() => answer('declined')}
        >
          {copy.decline}
        </BusyButton>
      </div>
    </div>
  );
}

function Sender({ invitation, name, now }: { invitation: Invitation; name: string; now: Date }) {
  const { agent, request } = invitation;
  return (
    <div className="flex items-center gap-3">
      <Avatar name={name} src={agent.avatar_url} />
      <div className="min-w-0 leading-snug">
        <p className="font-semibold break-words">
          <bdi>{name}</bdi> <CountryFlag country={agent.country} />
        </p>
        <p className="text-small text-muted-foreground">
          <bdi>{request ? `${copy.about} ${request.car_make} ${request.car_model}` : agent.company_name}</bdi>
          {(request ?? agent.company_name) && ' · '}
          {formatAge(invitation.created_at, now)}
        </p>
      </div>
    </div>
  );
}

function Reply({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const id = useId();
  return (
    <div className="space-y-1.5">
      <Label htmlFor={id}>{copy.replyLabel}</Label>
      <Textarea
        id={id}
        value={value}
        autoFocus
        maxLength={limitOf('reply')}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
