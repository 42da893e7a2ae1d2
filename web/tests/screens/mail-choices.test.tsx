/** The page a mail leads to where its reader wants no more of them. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mails } from '@/copy/mails';
import { settings } from '@/copy/settings';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { expectToast, press, visit } from './support/visit';

const service = scriptedService();
const LOOK = 'POST /rest/v1/rpc/mail_choice';
const CHOOSE = 'POST /rest/v1/rpc/choose_mail';
const TOKEN = 'messages-0123-4567';
const what = mails.topics.messages ?? '';

/** A link about messages, of somebody who wants them or not. */
function link(isWanted: boolean): void {
  let wanted = isWanted;
  service.on(LOOK, () => json(200, { topic: 'messages', wanted }));
  service.on(CHOOSE, ({ body }) => {
    wanted = body.p_wanted === true;
    return json(200, { topic: 'messages', wanted });
  });
}

describe('the link that stops mails', () => {
  it('asks first: opening it stops nothing', async () => {
    link(true);
    await visit(`/mails/${TOKEN}`);
    await screen.findByRole('heading', { name: mails.ask(what) });
    expect(service.asked(LOOK)[0]?.body).toEqual({ p_token: TOKEN });
    expect(service.asked(CHOOSE)).toEqual([]);
  });

  it('stops them with one press, however often it is pressed, and turns them on again', async () => {
    link(true);
    await visit(`/mails/${TOKEN}`);
    const button = await screen.findByRole('button', { name: mails.stop });
    fireEvent.click(button);
    fireEvent.click(button);
    await screen.findByRole('heading', { name: mails.stopped(what) });
    expect(service.asked(CHOOSE).map(({ body }) => body)).toEqual([{ p_token: TOKEN, p_wanted: false }]);
    await press(mails.resume);
    await screen.findByText(mails.resumed(what));
    expect(service.asked(CHOOSE)[1]?.body).toEqual({ p_token: TOKEN, p_wanted: true });
    screen.getByRole('button', { name: mails.stop });
  });

  it('says so where all mails are off, and these alone cannot be turned on', async () => {
    service.on(LOOK, json(200, { topic: 'messages', wanted: false }));
    service.on(CHOOSE, json(200, { topic: 'messages', wanted: false }));
    await visit(`/mails/${TOKEN}`);
    await press(mails.resume);
    await screen.findByText(mails.allOff);
  });

  it('that does not work says what to do, and nothing of any account', async () => {
    const message = 'This link does not work. Please use the one in your newest mail.';
    service.on(LOOK, json(400, { code: 'P0001', message, details: null, hint: null }));
    await visit('/mails/forged');
    await screen.findByRole('heading', { name: mails.invalid.title });
    expect(screen.queryByRole('button', { name: mails.stop })).toBeNull();
    const way = screen.getByRole('link', { name: mails.settingsSignIn });
    expect(way.getAttribute('href')).toBe('/auth');
  });

  it('keeps its question when the press fails', async () => {
    link(true);
    const message = 'This link does not work. Please use the one in your newest mail.';
    service.on(CHOOSE, json(400, { code: 'P0001', message, details: null, hint: null }));
    await visit(`/mails/${TOKEN}`);
    await press(mails.stop);
    await expectToast(mails.failed, message);
    screen.getByRole('heading', { name: mails.ask(what) });
  });

  it('leads whoever is signed in to the own settings', async () => {
    arriveSignedIn(service, 'agent');
    link(true);
    await visit(`/mails/${TOKEN}`);
    const way = await screen.findByRole('link', { name: mails.settings });
    expect(way.getAttribute('href')).toBe('/agent/settings#notifications');
  });
});

describe('the settings', () => {
  it('name the mails a link has stopped, and turn them on again', async () => {
    arriveSignedIn(service, 'importer');
    const wishes = { email: true, sms: false, new_request_alerts: true, agent_proposal_alerts: true };
    let muted = ['messages', 'support'];
    service.on('GET /rest/v1/notification_preferences', () => json(200, { ...wishes, muted_mails: muted }));
    service.on('POST /rest/v1/notification_preferences', ({ body }) => {
      muted = body.muted_mails as string[];
      return json(201, null);
    });
    await visit('/importer/settings');
    const list = within(await screen.findByRole('region', { name: settings.notifications.muted }));
    fireEvent.click(list.getByRole('button', { name: settings.notifications.unmute(what) }));
    await waitFor(() => expect(screen.queryByText(settings.notifications.about(what))).toBeNull());
    const [call] = service.asked('POST /rest/v1/notification_preferences');
    expect(call?.body).toEqual({ user_id: userOf().id, muted_mails: ['support'] });
  });
});
