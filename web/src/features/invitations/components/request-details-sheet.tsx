/** What an accepted invitation is about: the request where there is one, and the importer in any case. */
import { useQuery } from '@tanstack/react-query';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { ErrorPanel } from '@/components/error-panel';
import { RouteLine } from '@/components/route-line';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { Skeleton } from '@/components/ui/skeleton';
import { app } from '@/copy/app';
import { invitations } from '@/copy/invitations';
import { requests, requestStatus } from '@/copy/requests';
import { countryName } from '@/lib/country';
import { formatDay, formatPrice } from '@/lib/format';
import { fuelName, transmissionName, yearsText } from '@/lib/wishes';
import type { Invitation } from '../data/invitation-answers';
import { invitedRequestQueryOptions, type InvitedRequest } from '../data/invited-request-query';

const copy = invitations.request;

interface RequestDetailsSheetProps {
  invitation: Invitation;
  onClose: () => void;
}

export function RequestDetailsSheet({ invitation, onClose }: RequestDetailsSheetProps) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title={copy.title} closeLabel={app.dismiss}>
        {invitation.request_id === null ? (
          <p className="border-b p-4 text-muted-foreground sm:p-5">{copy.none}</p>
        ) : (
          <Request id={invitation.request_id} />
        )}
        <ImporterFacts importer={invitation.importer} />
      </SheetContent>
    </Sheet>
  );
}

function Request({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(invitedRequestQueryOptions(id));
  if (error) {
    return (
      <div className="p-4 sm:p-5">
        <ErrorPanel error={error} fallback={requests.failed} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <Skeleton className="m-5 aspect-4/3" />;
  if (data === null) return <p className="border-b p-4 text-muted-foreground sm:p-5">{copy.gone}</p>;
  return <RequestFacts request={data} />;
}

function RequestFacts({ request }: { request: InvitedRequest }) {
  const bounds = [request.budget_min, request.budget_max].filter((bound) => bound !== null);
  const status = request.status in requestStatus ? (request.status as keyof typeof requestStatus) : 'expired';
  return (
    <div className="border-b">
      <CarDrawing make={request.car_make} model={request.car_model} caption={null} className="border-b" />
      <div className="space-y-4 p-4 sm:p-5">
        <h3 dir="auto" className="text-left text-h2 break-words">
          {request.car_make} {request.car_model}
        </h3>
        <Facts
          facts={[
            [requests.year, yearsText(request)],
            [requests.budget, bounds.map(formatPrice).join(' – ')],
            [requests.condition, request.condition],
            [requests.fuel, fuelName(request.fuel_type)],
            [requests.transmission, transmissionName(request.transmission)],
            [requests.port, request.shipping_port],
            [copy.status, requestStatus[status]],
            [copy.posted, formatDay(request.created_at)],
          ]}
        />
        {request.description && (
          <div>
            <p className="text-label text-muted-foreground">{copy.description}</p>
            <p dir="auto" className="break-words whitespace-pre-line">
              {request.description}
            </p>
          </div>
        )}
        <RouteLine from="JP" {...(request.shipping_port && { to: request.shipping_port })} />
      </div>
    </div>
  );
}

function ImporterFacts({ importer }: { importer: Invitation['importer'] }) {
  return (
    <div className="space-y-4 p-4 sm:p-5">
      <h3 dir="auto" className="text-left text-h3">
        {importer.full_name ?? requests.unknownUser}
      </h3>
      <Facts
        facts={[
          [copy.city, [importer.city, countryName(importer.country)].filter(Boolean).join(', ')],
          [requests.budget, importer.budget_range],
          [copy.interested, importer.interested_car_brands?.join(', ')],
        ]}
      />
    </div>
  );
}

type Fact = readonly [label: string, value: string | null | undefined];

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd dir="auto" className="text-left break-words figures">
            {value || requests.unknown}
          </dd>
        </div>
      ))}
    </dl>
  );
}
