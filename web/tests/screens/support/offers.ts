/** Offers as the service answers them, without all that an agent may leave open. */
import { json, type Service } from './service';

export const ID = 'b0d2c3f4-0000-4000-8000-00000000000c';
const EMPTY = [
  'mileage_km',
  'year',
  'auction_date',
  'image_url',
  'image_urls',
  'variant',
  'location',
  'body',
];
const GAPS = ['engine_size', 'transmission', 'fuel_type', 'drivetrain', 'color', 'condition', 'features'];
export const post = (id: string, model: string, columns: object = {}) => ({
  id,
  agent_id: 'a1',
  car_name: 'Toyota',
  model,
  description: null,
  specifications: null,
  cnf_price: 9000,
  availability_status: 'available',
  created_at: '2026-01-01T00:00:00Z',
  ...Object.fromEntries([...EMPTY, ...GAPS].map((column) => [column, null])),
  agent: { full_name: 'Kenji Tanaka', country: 'JP' },
  ...columns,
});

type Offer = ReturnType<typeof post>;

const STATES: Record<string, string> = { available: 'in-stock', pending: 'reserved', sold: 'sold' };
const stateOf = ({ availability_status: status }: Offer) => STATES[status] ?? '';

/** Answers searches for these offers: by text, fuel and state. Asked one by one, they are all there. */
export function listOffers(service: Service, offers: Offer[]): void {
  const found = (body: Record<string, unknown>) => {
    const { q = '', fuel } = body.p as Record<string, string | undefined>;
    return offers.filter(
      (offer) =>
        offer.model.toLowerCase().includes(q.toLowerCase()) &&
        (fuel === undefined || Object.entries(offer).some((entry) => same(entry, ['fuel_type', fuel]))),
    );
  };
  service.on('POST /rest/v1/rpc/search_offers', ({ body }) => {
    const { status = 'in-stock,reserved' } = body.p as Record<string, string | undefined>;
    const rows = found(body).filter((offer) => status.split(',').includes(stateOf(offer)));
    return json(
      200,
      rows.map((row) => ({ ...row, is_saved: false, is_followed: false, cursor: row.id })),
    );
  });
  service.on('POST /rest/v1/rpc/count_offers', ({ body }) => {
    const { status = 'in-stock,reserved' } = body.p as Record<string, string | undefined>;
    const of = (state: string) => found(body).filter((offer) => stateOf(offer) === state).length;
    const states = { 'in-stock': of('in-stock'), auction: 0, reserved: of('reserved'), sold: of('sold') };
    const total = found(body).filter((offer) => status.split(',').includes(stateOf(offer))).length;
    return json(200, { total, states, read_as: null });
  });
  service.on('GET /rest/v1/agent_posts', ({ query }) =>
    json(
      200,
      offers.filter(({ id }) => query.id === undefined || query.id === `eq.${id}`),
    ),
  );
}

const same = ([name, value]: [string, unknown], [asked, wanted]: [string, string]) =>
  name === asked && String(value).toLowerCase() === wanted;
