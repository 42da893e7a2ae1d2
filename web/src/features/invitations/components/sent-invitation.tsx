/** One invitation of an agent: whom it went to, what about, and the answer. */
import { CountryFlag } from '@/components/country-flag';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { agentDashboard, invitationStatus } from '@/copy/dashboards';
import { invitations as copy } from '@/copy/invitations';
import { formatDay, formatPrice } from '@/lib/format';
import { Link } from 'react-router-dom';
import type { Invitation } from '../data/invitations-query';

const TONES = { sent: 'warning', accepted: 'success', declined: 'neutral' } as const;

export function SentInvitation({ invitation }: { invitation: Invitation }) {
  const { importer, importer_id: importerId, status } = invitation;
  const name = importer.full_name ?? agentDashboard.unknownUser;
  const known = status in TONES ? (status as keyof typeof TONES) : 'sent';
  return (
    <article aria-label={name} className="space-y-4 rounded-card border bg-card p-4 sm:p-5">
      <header className="flex items-start gap-3">
        <Avatar name={name} src={importer.avatar_url} />
        <div className="min-w-0 flex-1 leading-snug">
          <h2 className="font-semibold">
            {name} <CountryFlag country={importer.country} />
          </h2>
          <p className="text-small text-muted-foreground">{subject(invitation)}</p>
        </div>
        <Badge tone={TONES[known]}>{invitationStatus[known]}</Badge>
      </header>
      <dl className="grid gap-3 sm:grid-cols-2">
        <Fact label={copy.budget} value={budget(invitation)} />
        <Fact label={copy.message} value={invitation.message} />
        <Fact label={copy.response} value={invitation.response_message} />
      </dl>
      {known === 'sent' && <p className="border-t pt-3 text-muted-foreground">{copy.waiting}</p>}
      {known === 'accepted' && (
        <Button asChild className="w-full sm:w-auto">
          <Link to={`${paths.agent.messages}?importer=${importerId}`}>{copy.start}</Link>
        </Button>
      )}
    </article>
  );
}

function Fact({ label, value }: { label: string; value: string | null }) {
  if (!value) return null;
  return (
    <div className="min-w-0">
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd className="break-words whitespace-pre-line">{value}</dd>
    </div>
  );
}

function subject({ request, importer, created_at: sent }: Invitation): string {
  const about = request ? `${request.car_make} ${request.car_model}` : importer.company_name;
  return [about, formatDay(sent)].filter(Boolean).join(' · ');
}

function budget({ request, importer }: Invitation): string | null {
  const bounds = [request?.budget_min, request?.budget_max].filter((bound) => typeof bound === 'number');
  return bounds.length > 0 ? bounds.map(formatPrice).join(' – ') : importer.budget_range;
}
