/** Offers as the service answers them, without all that an agent may leave open. */
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
