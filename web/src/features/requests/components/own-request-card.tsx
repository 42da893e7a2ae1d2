/** One of an importer's own requests: the car, its facts, the way it will travel, and what can be done. */
import type { ReactNode } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { RouteLine } from '@/components/route-line';
import { myRequests as copy, requests } from '@/copy/requests';
import { formatDay } from '@/lib/format';
import { budgetText, fuelName, transmissionName, yearsText } from '@/lib/wishes';
import type { OwnRequest } from '../data/own-requests-query';
import { RequestStatusBadge } from './request-status-badge';

interface OwnRequestCardProps {
  request: OwnRequest;
  actions: ReactNode;
}

export function OwnRequestCard({ request, actions }: OwnRequestCardProps) {
  const titleId = `request-${request.id}`;
  return (
    <article aria-labelledby={titleId} className="flex h-full flex-col rounded-card border bg-card">
      <header className="flex items-center gap-4 border-b p-4 sm:px-5">
        <CarDrawing
          make={request.car_make}
          model={request.car_model}
          caption={null}
          className="w-24 shrink-0 rounded-control border"
        />
        <div className="min-w-0 flex-1">
          <h2 dir="auto" id={titleId} className="text-left break-words text-h3">
            {request.car_make} {request.car_model}
          </h2>
          <p className="text-small text-muted-foreground">
            {copy.posted} {formatDay(request.created_at)}
          </p>
        </div>
        <RequestStatusBadge status={request.status} />
      </header>
      <div className="flex flex-1 flex-col gap-4 p-4 sm:px-5">
        {request.status === 'expired' && <p className="text-small text-muted-foreground">{copy.expired}</p>}
        <Facts request={request} />
        <div className="mt-auto">
          <RouteLine from="JP" {...(request.shipping_port && { to: request.shipping_port })} />
        </div>
      </div>
      <footer className="flex flex-wrap gap-2 border-t px-4 py-3 has-[>:nth-child(4)]:grid has-[>:nth-child(4)]:grid-cols-2 has-[>:nth-child(4)]:*:mr-0! sm:px-5">
        {actions}
      </footer>
    </article>
  );
}

function Facts({ request }: { request: OwnRequest }) {
  const facts = [
    [requests.year, yearsText(request)],
    [requests.budget, budgetText(request)],
    [requests.condition, request.condition],
    [copy.fuel, fuelName(request.fuel_type)],
    ...(request.transmission
      ? ([[requests.transmission, transmissionName(request.transmission)]] as const)
      : []),
    [requests.port, request.shipping_port],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd dir="auto" className="text-left break-words figures">
            {value ?? requests.unknown}
          </dd>
        </div>
      ))}
      {request.description && (
        <div className="col-span-2">
          <dt className="text-label text-muted-foreground">{copy.requirements}</dt>
          <dd dir="auto" className="break-words whitespace-pre-line">
            {request.description}
          </dd>
        </div>
      )}
    </dl>
  );
}
