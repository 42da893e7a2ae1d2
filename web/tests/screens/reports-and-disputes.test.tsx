/** From a conversation: reporting it, and disputing the deal behind it. */
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { app } from '@/copy/app';
import { messages } from '@/copy/messages';
import { disputes, reports } from '@/copy/reports';
import { DEAL, DISPUTE, KENJI, ME, OTHER } from './support/disputed-deal';
import { arriveSignedIn } from './support/people';
import { json, scriptedService } from './support/service';
import { expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();

async function openThread(deals: unknown[] = [], status = 'active'): Promise<void> {
  arriveSignedIn(service, null);
  const own = { user_id: ME, user_type: 'importer', full_name: 'Anna', country: 'DE', status };
  service.on('GET /rest/v1/profiles', ({ query }) =>
    json(200, query.user_id === `eq.${OTHER}` ? KENJI : own),
  );
  service.on('GET /rest/v1/deals', json(200, deals));
  await visit(`/importer/messages?agent=${OTHER}`);
  await screen.findByRole('button', { name: messages.actions('Kenji Tanaka') });
}

async function chooseInMenu(name: RegExp): Promise<void> {
  const trigger = await screen.findByRole('button', { name: messages.actions('Kenji Tanaka') });
  fireEvent.keyDown(trigger, { key: 'Enter' });
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => {
    fireEvent.click(item);
    await Promise.resolve();
  });
}

// ADM-007
describe('reporting a conversation', () => {
  it('tells the team the reason and what is added, and says what happens next', async () => {
    await openThread();
    service.on('POST /rest/v1/rpc/report_conversation', json(200, 'r1'));
    await chooseInMenu(/Report conversation/);
    fill(reports.reason, reports.reasons.abuse);
    fill(reports.more, 'Every day.');
    await press(reports.submit);
    await expectToast(reports.done.title, reports.done.text);
    const [call] = service.asked('POST /rest/v1/rpc/report_conversation');
    expect(call?.body).toEqual({ p_counterpart: OTHER, p_reason: `${reports.reasons.abuse}: Every day.` });
  });

  it('needs a reason', async () => {
    await openThread();
    await chooseInMenu(/Report conversation/);
    await press(reports.submit);
    await screen.findByText(reports.reasonMissing);
    expect(service.asked('POST /rest/v1/rpc/report_conversation')).toEqual([]);
  });

  it('is offered once per open report', async () => {
    service.on(
      'GET /rest/v1/conversation_reports',
      json(200, [{ id: 'r1', counterpart_id: OTHER, status: 'open', created_at: '2026-03-04T10:00:00Z' }]),
    );
    await openThread();
    fireEvent.keyDown(screen.getByRole('button', { name: messages.actions('Kenji Tanaka') }), {
      key: 'Enter',
    });
    await screen.findByText(reports.reportedOn('4 Mar 2026'));
    expect(screen.queryByRole('menuitem', { name: reports.action })).toBeNull();
  });
});

describe('disputing a deal', () => {
  it('is not offered without one', async () => {
    await openThread();
    fireEvent.keyDown(screen.getByRole('button', { name: messages.actions('Kenji Tanaka') }), {
      key: 'Enter',
    });
    await screen.findByRole('menuitem', { name: reports.action });
    expect(screen.queryByRole('menuitem', { name: disputes.action })).toBeNull();
  });

  it('sends the reason and the statement', async () => {
    await openThread([DEAL]);
    service.on('POST /rest/v1/rpc/raise_dispute', json(200, 'd1'));
    await chooseInMenu(/Raise a dispute/);
    fill(disputes.form.reason, disputes.form.reasons[0]);
    fill(disputes.form.statement, 'It has no engine.');
    await press(disputes.form.submit);
    await expectToast(disputes.form.done.title, disputes.form.done.text);
    const [call] = service.asked('POST /rest/v1/rpc/raise_dispute');
    expect(call?.body).toEqual({
      p_invitation: DEAL.invitation_id,
      p_reason: disputes.form.reasons[0],
      p_statement: 'It has no engine.',
      p_evidence: [],
    });
  });

  it('is offered for ninety days after the deal was completed', async () => {
    const ended = { ...DEAL, status: 'completed', model: 'Vitz', completed_at: daysAgo(91) };
    await openThread([{ ...DEAL, status: 'completed', completed_at: daysAgo(89) }, ended]);
    await chooseInMenu(/Raise a dispute/);
    fill(disputes.form.reason, disputes.form.reasons[0]);
    expect(screen.queryByText(/Vitz/)).toBeNull();
  });

  it('is open to a suspended side as well', async () => {
    await openThread([DEAL], 'suspended');
    service.on('POST /rest/v1/rpc/raise_dispute', json(200, 'd1'));
    await chooseInMenu(/Raise a dispute/);
    fill(disputes.form.reason, disputes.form.reasons[0]);
    fill(disputes.form.statement, 'It has no engine.');
    await press(disputes.form.submit);
    await expectToast(disputes.form.done.title, disputes.form.done.text);
  });

  it('asks for a reason and a statement', async () => {
    await openThread([DEAL]);
    await chooseInMenu(/Raise a dispute/);
    await press(disputes.form.submit);
    await screen.findByText(disputes.form.reasonMissing);
    screen.getByText(disputes.form.statementMissing);
    expect(service.asked('POST /rest/v1/rpc/raise_dispute')).toEqual([]);
  });

  it('takes files of five kinds up to 10 MB, and says why another is refused', async () => {
    await openThread([DEAL]);
    await chooseInMenu(/Raise a dispute/);
    const input = document.querySelector('input[type=file]');
    if (!input) throw new Error('No file can be chosen.');
    fireEvent.change(input, { target: { files: [new File(['x'], 'virus.exe')] } });
    await screen.findByText('File type not supported');
    fireEvent.change(input, { target: { files: [new File(['x'], 'photo.jpg')] } });
    await screen.findByText('photo.jpg');
    fireEvent.click(screen.getByRole('button', { name: disputes.form.removeFile('photo.jpg') }));
    expect(screen.queryByText('photo.jpg')).toBeNull();
  });

  it('shows both sides that the deal is disputed, and takes the other statement', async () => {
    await openThread([{ ...DEAL, status: 'disputed', disputes: [DISPUTE] }]);
    service.on('POST /rest/v1/rpc/answer_dispute', json(200, 's2'));
    await press(`${disputes.badge}: ${disputes.see}`);
    const sheet = await screen.findByRole('dialog');
    within(sheet).getByText(DISPUTE.reason);
    within(sheet).getByText('No money came.');
    within(sheet).getByRole('button', { name: disputes.sheet.openFile('bank.pdf') });
    fill(disputes.answer.label, 'I paid on Monday.');
    await press(disputes.answer.submit);
    await expectToast(disputes.answer.done.title, disputes.answer.done.text);
    const [call] = service.asked('POST /rest/v1/rpc/answer_dispute');
    expect(call?.body).toEqual({ p_dispute: 'd1', p_statement: 'I paid on Monday.', p_evidence: [] });
  });

  it('shows how it ended', async () => {
    const settled = {
      ...DISPUTE,
      status: 'settled',
      outcome: 'Half back.',
      settled_at: '2026-03-09T10:00:00Z',
    };
    await openThread([{ ...DEAL, status: 'completed', completed_at: daysAgo(91), disputes: [settled] }]);
    await chooseInMenu(/See the dispute/);
    const sheet = await screen.findByRole('dialog');
    within(sheet).getByText('Half back.');
    within(sheet).getByText(disputes.sheet.settled('9 Mar 2026'));
    expect(within(sheet).queryByRole('button', { name: disputes.form.submit })).toBeNull();
  });
});

const value = (label: string) => screen.getByLabelText<HTMLTextAreaElement>(label).value;

/** As a reload does: what is only in memory is gone. */
async function reload(deals: unknown[] = []): Promise<void> {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  await openThread(deals);
}

describe('what was written and not sent', () => {
  it('in a report is there again, also after a reload, until it is sent', async () => {
    await openThread();
    service.on('POST /rest/v1/rpc/report_conversation', json(200, 'r1'));
    await chooseInMenu(/Report conversation/);
    fill(reports.reason, reports.reasons.abuse);
    fill(reports.more, 'Every day.');
    await press(app.keep);
    await chooseInMenu(/Report conversation/);
    expect(value(reports.more)).toBe('Every day.');
    await reload();
    await chooseInMenu(/Report conversation/);
    await screen.findByText(app.draft.restored);
    expect(value(reports.reason)).toBe(reports.reasons.abuse);
    await press(reports.submit);
    await expectToast(reports.done.title, reports.done.text);
    await reload();
    await chooseInMenu(/Report conversation/);
    expect([value(reports.reason), value(reports.more)]).toEqual(['', '']);
  });

  it('in a dispute is there again after a reload, and can be given up', async () => {
    await openThread([DEAL]);
    await chooseInMenu(/Raise a dispute/);
    fill(disputes.form.reason, disputes.form.reasons[0]);
    fill(disputes.form.statement, 'It has no engine.');
    await reload([DEAL]);
    await chooseInMenu(/Raise a dispute/);
    expect(value(disputes.form.reason)).toBe(disputes.form.reasons[0]);
    expect(value(disputes.form.statement)).toBe('It has no engine.');
    await press(app.draft.discard);
    expect(value(disputes.form.statement)).toBe('');
    await reload([DEAL]);
    await chooseInMenu(/Raise a dispute/);
    expect(value(disputes.form.statement)).toBe('');
  });

  it('in the answer to a dispute is there again after a reload, until it is sent', async () => {
    const deals = [{ ...DEAL, status: 'disputed', disputes: [DISPUTE] }];
    await openThread(deals);
    service.on('POST /rest/v1/rpc/answer_dispute', json(200, 's2'));
    await press(`${disputes.badge}: ${disputes.see}`);
    fill(disputes.answer.label, 'I paid on Monday.');
    await reload(deals);
    await press(`${disputes.badge}: ${disputes.see}`);
    expect(value(disputes.answer.label)).toBe('I paid on Monday.');
    await press(disputes.answer.submit);
    await expectToast(disputes.answer.done.title, disputes.answer.done.text);
    expect(value(disputes.answer.label)).toBe('');
  });
});
