/** One invitation of an agent: whom it went to, what about, and the answer. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CountryFlag } from '@/components/country-flag';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { paths, withSubject } from '@/config/paths';
import { agentDashboard } from '@/copy/dashboards';
import { invitations as copy } from '@/copy/invitations';
import { cn } from '@/lib/class-names';
import { formatDay, formatPrice } from '@/lib/format';
import type { Invitation } from '../data/invitation-answers';
import { invitationTone, AssignedNote } from './invitation-status';

interface SentInvitationProps {
  invitation: Invitation;
  onDetails: () => void;
  /** What else can be done about the deal behind an accepted invitation. */
  dealActions?: ReactNode;
}

export function SentInvitation({ invitation, onDetails, dealActions }: SentInvitationProps) {
  const { importer, importer_id: importerId, status } = invitation;
  const name = importer.full_name ?? agentDashboard.unknownUser;
  const shown = invitationTone(status);
  return (
    <article aria-label={name} className="space-y-4 rounded-card border bg-card p-4 sm:p-5">
      <header className="flex items-start gap-3">
        <Avatar name={name} src={importer.avatar_url} />
        <div className="min-w-0 flex-1 leading-snug">
          <h2 className="font-semibold break-words">
            <bdi>{name}</bdi> <CountryFlag country={importer.country} />
          </h2>
          <Subject invitation={invitation} />
        </div>
        <Badge tone={shown.tone}>{shown.text}</Badge>
      </header>
      <AssignedNote invitation={invitation} side="agent" />
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <Fact label={copy.budget} value={budget(invitation)} />
        <Fact label={copy.message} value={invitation.message} className="sm:col-start-2" />
        <Fact label={copy.response} value={invitation.response_message} className="sm:col-start-2" />
      </dl>
      {status === 'accepted' ? (
        <div className="flex flex-col gap-2 border-t pt-4 sm:flex-row">
          <Button asChild>
            <Link to={withSubject(`${paths.agent.messages}?importer=${importerId}`, invitation.request_id)}>
              {copy.start}
            </Link>
          </Button>
          <Button variant="outline" onClick={onDetails}>
            {copy.details}
          </Button>
          {dealActions}
        </div>
      ) : (
        status !== 'declined' && <p className="border-t pt-3 text-muted-foreground">{copy.waiting}</p>
      )}
    </article>
  );
}

function Fact({ label, value, className }: { label: string; value: string | null; className?: string }) {
  if (!value) return null;
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd dir="auto" className="break-words whitespace-pre-line">
        {value}
      </dd>
    </div>
  );
}

function Subject({ invitation: { request, importer, created_at: sent } }: { invitation: Invitation }) {
  const about = request ? `${request.car_make} ${request.car_model}` : importer.company_name;
  return (
    <p className="dotted text-small text-muted-foreground">
      {about && (
        <span dir="auto" className="break-words">
          {about}
        </span>
      )}
      <time dateTime={sent}>{formatDay(sent)}</time>
    </p>
  );
}

function budget({ request, importer }: Invitation): string | null {
  const bounds = [request?.budget_min, request?.budget_max].filter((bound) => typeof bound === 'number');
  return bounds.length > 0 ? bounds.map(formatPrice).join(' – ') : importer.budget_range;
}
