import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { errors } from '@/copy/errors';
import { importOffers as copy } from '@/copy/import-offers';
import { validation } from '@/copy/validation';
import type { ImportReport, ImportRow } from '../data/import-mutation';

const invoke = vi.fn();
vi.mock('@/lib/supabase', () => ({ supabase: { functions: { invoke } } }));
vi.mock('@/lib/auth/auth-context', () => ({ useIsSuspended: () => false }));

const { ImportOffers } = await import('./import-offers');

const row = (number: number, state: ImportRow['state'], problems: ImportRow['problems'] = []): ImportRow => ({
  row: number,
  state,
  car: {
    stock_no: `A${number}`,
    car_name: 'Toyota',
    model: `Aqua ${number}`,
    variant: null,
    year: 2017,
    mileage_km: 85_000,
    cnf_price: 4900,
  },
  problems,
});

const YEAR = { column: 'year', text: '“soon” is not a year. Write it as 2017.' } as const;

function report(rows: ImportRow[], more: Partial<ImportReport> = {}): { data: ImportReport; error: null } {
  const counts = { new: 0, there: 0, wrong: 0, added: 0, failed: 0 };
  for (const { state } of rows) counts[state] += 1;
  return {
    data: { mode: 'check', encoding: 'utf-8', columns: [], counts, reason: null, rows, ...more },
    error: null,
  };
}

const refused = (status: number, body: unknown) => ({
  data: null,
  error: { context: new Response(JSON.stringify(body), { status }) },
});

/** The page's File here cannot be read, which every browser's can. */
function list(name = 'stock.csv', content = 'Make,Model\nToyota,Aqua\n'): File {
  const file = new File([content], name);
  return Object.assign(file, {
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(content).buffer),
  });
}

function open() {
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ImportOffers />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return (file: File) => {
    const input = container.querySelector('input[type=file]');
    if (!input) throw new Error('There is nowhere to choose a file.');
    fireEvent.change(input, { target: { files: [file] } });
  };
}

/** Without styles a button also has the words of its busy state. */
const begins = (words: string) => ({ name: new RegExp(`^${words}`) });

beforeEach(() => invoke.mockReset());

it('A file is checked first, its mistakes are named at their rows, and nothing is imported', async () => {
  invoke.mockResolvedValue(report([row(2, 'new'), row(3, 'there'), row(4, 'wrong', [YEAR])]));
  open()(list());
  expect(await screen.findByRole('heading', { name: copy.preview.title('stock.csv') })).toBe(
    document.activeElement,
  );
  const wrong = within(screen.getByRole('region', { name: /Rows with mistakes/ }));
  expect(wrong.getByText(copy.rows.number(4))).toBeTruthy();
  expect(wrong.getByText(`Year: ${YEAR.text}`)).toBeTruthy();
  expect(screen.getByRole('button', begins(copy.preview.submit(1)))).toBeTruthy();
  expect(invoke.mock.calls.map(([name]: unknown[]) => name)).toEqual(['import-offers?mode=check']);
});

it('An import says how many cars were added and what was left out', async () => {
  invoke.mockResolvedValueOnce(report([row(2, 'new'), row(3, 'there'), row(4, 'wrong', [YEAR])]));
  invoke.mockResolvedValueOnce(
    report([row(2, 'added'), row(3, 'there'), row(4, 'wrong', [YEAR])], { mode: 'import' }),
  );
  open()(list());
  fireEvent.click(await screen.findByRole('button', begins(copy.preview.submit(1))));
  expect(await screen.findByRole('heading', { name: copy.result.title(1) })).toBeTruthy();
  expect(screen.getByText('1 there already, 1 with mistakes left out')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(invoke).toHaveBeenLastCalledWith('import-offers?mode=import', expect.anything());
});

it('What was added in part says why, and the rest may be tried again', async () => {
  invoke.mockResolvedValueOnce(report([row(2, 'new'), row(3, 'new')]));
  invoke.mockResolvedValueOnce(
    report([row(2, 'added'), row(3, 'failed')], { mode: 'import', reason: 'The server did not answer.' }),
  );
  invoke.mockResolvedValueOnce(report([row(2, 'there'), row(3, 'added')], { mode: 'import' }));
  open()(list());
  fireEvent.click(await screen.findByRole('button', begins(copy.preview.submit(2))));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(copy.result.partly(1));
  expect(alert.textContent).toContain('The server did not answer.');
  fireEvent.click(screen.getByRole('button', begins(copy.result.retry)));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it.each([
  [list('stock.xlsx'), copy.file.type],
  [list('stock.csv', ''), validation.fileEmpty],
  [list('stock.csv', 'a'.repeat(2 * 1024 * 1024 + 1)), validation.fileSize(2)],
])('A file that no list can be is refused before it is sent: %#', (file, reason) => {
  open()(file);
  expect(screen.getByRole('alert').textContent).toContain(reason);
  expect(screen.queryByRole('button', { name: copy.retry })).toBeNull();
  expect(invoke).not.toHaveBeenCalled();
});

it('What the function says of a file is what the agent reads', async () => {
  invoke.mockResolvedValue(refused(422, { code: 'empty', message: 'The file is empty.' }));
  open()(list());
  expect((await screen.findByRole('alert')).textContent).toContain('The file is empty.');
  expect(screen.queryByRole('button', { name: copy.retry })).toBeNull();
});

it.each([
  [404, 'Function not found'],
  [501, { msg: 'Deno is not installed' }],
  [503, { code: 'BOOT_ERROR', message: 'Function failed to start (please check logs)' }],
  [546, { code: 'WORKER_LIMIT', message: 'Worker failed to respond' }],
])('Where the function is not to be had (%d) the agent reads so and may try again', async (status, body) => {
  invoke.mockResolvedValueOnce(refused(status, body));
  invoke.mockResolvedValueOnce(report([row(2, 'new')]));
  open()(list());
  expect((await screen.findByRole('alert')).textContent).toContain(copy.unavailable);
  fireEvent.click(screen.getByRole('button', { name: copy.retry }));
  expect(await screen.findByRole('button', begins(copy.preview.submit(1)))).toBeTruthy();
});

it('Without a line the agent reads so', async () => {
  invoke.mockResolvedValue({ data: null, error: { context: new TypeError('Failed to fetch') } });
  open()(list());
  expect((await screen.findByRole('alert')).textContent).toContain(errors.offline);
});

it('A list read as Shift-JIS says so, and the columns that were not read are named', async () => {
  const columns = [
    { name: 'FOB', column: null },
    { name: 'Make', column: 'car_name' },
  ];
  invoke.mockResolvedValue(report([row(2, 'there')], { encoding: 'cp932', columns }));
  open()(list());
  expect(await screen.findByText(copy.preview.shiftJis)).toBeTruthy();
  expect(screen.getByText(copy.preview.ignored('FOB'))).toBeTruthy();
  expect(screen.getByText(copy.preview.nothing)).toBeTruthy();
});
