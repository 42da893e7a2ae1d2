import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentRow, arriveAsAdministrator, importerRow, page } from './support/back-office';
import { widenScreen } from './support/browser-gaps';
import { json, pending, scriptedService } from './support/service';
import { expectAddress, press, visit } from './support/visit';

const service = scriptedService();
const AGENTS = 'POST /rest/v1/rpc/admin_agents';
const IMPORTERS = 'POST /rest/v1/rpc/admin_importers';

beforeEach(() => {
  arriveAsAdministrator(service);
  widenScreen(true);
});
afterEach(() => widenScreen(false));

const asked = () => service.asked(AGENTS).map(({ body }) => body);
const last = () => asked().at(-1);
const names = () =>
  within(screen.getByRole('table'))
    .getAllByRole('button', { name: /^Open / })
    .map((row) => row.getAttribute('aria-label'));

describe('a list of the back office', () => {
  it('is ordered by the server, over all rows and not those that are shown', async () => {
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin/agents');
    await press('Sort by Agent');
    await expectAddress('/admin/agents?sort=agent');
    await waitFor(() => expect(last()).toMatchObject({ p_order: 'agent', p_descending: false }));
    await press('Sort by Agent');
    await waitFor(() => expect(last()).toMatchObject({ p_order: 'agent', p_descending: true }));
    expect(screen.getByRole('columnheader', { name: /Agent/ })).toHaveAttribute('aria-sort', 'descending');
    await press('Sort by Agent');
    await expectAddress('/admin/agents');
    expect(screen.getByRole('columnheader', { name: /Agent/ })).not.toHaveAttribute('aria-sort');
  });

  it('is ordered on a phone too, where it has no heads', async () => {
    widenScreen(false);
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin/agents');
    fireEvent.change(await screen.findByLabelText('Sort by'), { target: { value: 'rating' } });
    await waitFor(() => expect(last()).toMatchObject({ p_order: 'rating', p_descending: false }));
    await press('Ascending, press to reverse');
    await waitFor(() => expect(last()).toMatchObject({ p_order: 'rating', p_descending: true }));
  });

  it('reads only what is new when more is shown', async () => {
    service.on(AGENTS, ({ body }) =>
      'p_after' in body
        ? page([agentRow({ user_id: 'agent-2', full_name: 'Yuki Sato' })], { total: 2 })
        : page([agentRow()], { total: 2, next: 'after-kenji' }),
    );
    await visit('/admin/agents');
    await screen.findByText('Showing 1 of 2');
    await press('Show more');
    expect(await screen.findByText('Showing 2 of 2')).toBeVisible();
    expect(names()).toEqual(['Open Kenji Tanaka', 'Open Yuki Sato']);
    expect(asked().map(({ p_after, p_limit }) => [p_after, p_limit])).toEqual([
      [undefined, 25],
      ['after-kenji', 25],
    ]);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('comes back as it was: tab, search, order and the opened row stand in the address', async () => {
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin/agents?status=pending&search=kenji&sort=-rating&open=agent-1');
    expect(await screen.findByRole('dialog', { name: 'Kenji Tanaka' })).toBeVisible();
    expect(asked().filter((body) => !('p_id' in body))).toEqual([
      {
        p_search: 'kenji',
        p_status: 'pending',
        p_limit: 25,
        p_order: 'rating',
        p_descending: true,
        p_brief: true,
      },
    ]);
  });

  it('ignores an order it does not have', async () => {
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin/agents?sort=shoe_size');
    await screen.findByText('Showing 1 of 1');
    expect(last()).not.toHaveProperty('p_order');
  });

  it('keeps its rows when reading them again fails, and says so', async () => {
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin/agents?open=agent-1');
    await screen.findByRole('dialog', { name: 'Kenji Tanaka' });
    service.on('POST /rest/v1/rpc/admin_review_agent', () => {
      service.on(AGENTS, json(500, { message: 'broken pipe' }));
      return new Response(null, { status: 204 });
    });
    await press('Reject');
    const question = within(await screen.findByRole('alertdialog'));
    fireEvent.change(question.getByLabelText('Reason'), { target: { value: 'Blurred' } });
    fireEvent.click(question.getByRole('button', { name: 'Reject' }));
    expect(await screen.findByText(/What you see may be out of date/)).toBeInTheDocument();
    expect(screen.getByText('Showing 1 of 1')).toBeInTheDocument();
    expect(screen.queryByText(/broken pipe/)).toBeNull();
  });

  it('says plainly that it could not be loaded when the server answers something else', async () => {
    service.on(AGENTS, json(200, { rows: 'none' }));
    await visit('/admin/agents');
    expect(await screen.findByText('The list could not be loaded')).toBeVisible();
    expect(screen.queryByText(/expected|invalid_type/)).toBeNull();
  });

  it('says that the opened entry is gone', async () => {
    service.on(AGENTS, page([]));
    await visit('/admin/agents?open=nobody');
    expect(await screen.findByText('This entry no longer exists.')).toBeVisible();
  });

  it.each([
    ['the entry comes', [], [agentRow()], 'Details', 'Kenji Tanaka'],
    ['the entry turns out to be gone', [agentRow()], [], 'Kenji Tanaka', 'Details'],
  ])('stays in the sheet that was opened when %s', async (_, listed, read, before, after) => {
    const answer = pending();
    service.on(AGENTS, ({ body }) => ('p_id' in body ? answer.answer() : page(listed)));
    await visit('/admin/agents?open=agent-1');
    const sheet = await screen.findByRole('dialog', { name: before });
    answer.resolve(page(read));
    await waitFor(() => expect(sheet).toHaveAccessibleName(after));
    expect(sheet).toBeInTheDocument();
    expect(sheet).toContainElement(document.activeElement as HTMLElement);
  });
});

function textOf(blob: Blob | undefined): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob ?? new Blob());
  });
}

describe('the file of a list', () => {
  async function written(): Promise<string> {
    let blob: Blob | undefined;
    const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      blob = file as Blob;
      return 'blob:file';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await press('Export CSV');
    await waitFor(() => expect(create).toHaveBeenCalled());
    return textOf(blob);
  }
  // jsdom has neither
  beforeEach(() => void Object.assign(URL, { createObjectURL: () => '', revokeObjectURL: () => undefined }));
  afterEach(() => vi.restoreAllMocks());

  it('holds every row that matches, with numbers a spreadsheet can add', async () => {
    service.on(IMPORTERS, ({ body }) =>
      'p_after' in body
        ? page([importerRow({ user_id: 'i2', full_name: '=HYPERLINK("x")', spent: 4500 })], { total: 2 })
        : page([importerRow()], { total: 2, next: 'after-anna' }),
    );
    await visit('/admin/importers?status=active');
    await screen.findByText('Showing 1 of 2');
    const lines = (await written()).split('\r\n');
    expect(lines[0]).toContain('Spent (USD)');
    expect(lines[1]).toContain(',4,3,75,10500,');
    expect(lines[2]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(lines).toHaveLength(3);
    const exported = service.asked(IMPORTERS).filter(({ body }) => body.p_limit === 1000);
    expect(exported.map(({ body }) => [body.p_status, body.p_after])).toEqual([
      ['active', undefined],
      ['active', 'after-anna'],
    ]);
  });

  it('is not written when the rows could not be read, and the person is told', async () => {
    service.on(IMPORTERS, page([importerRow()]));
    await visit('/admin/importers');
    await screen.findByText('Showing 1 of 1');
    service.on(IMPORTERS, json(403, { code: '42501', message: 'no' }));
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
      await Promise.resolve();
    });
    const region = await screen.findByRole('region', { name: /notifications/i });
    expect(await within(region).findByText('The file could not be written')).toBeInTheDocument();
  });
});
