// supabase-js as it is, in a page, pointed at a branch: every part of it meets the branch and nothing else.
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { Client } from 'minato-test';
import { expect, test as base } from 'minato-test/playwright';
import { serveApp } from './app.js';

declare global {
  interface Window {
    supabase: { createClient: (url: string, key: string) => Client };
    client: Client;
  }
}

const LIBRARY = createRequire(import.meta.url).resolve('@supabase/supabase-js/dist/umd/supabase.js');

const test = base.extend<{ ben: Page }, { app: string }>({
  app: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { url, server } = await serveApp();
      await use(url);
      server.close();
    },
    { scope: 'worker' },
  ],
  ben: async ({ page, app, workerBranch }, use) => {
    await page.goto(app);
    await page.addScriptTag({ path: LIBRARY });
    await page.evaluate(
      async ({ url, key }) => {
        window.client = window.supabase.createClient(url, key);
        const account = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse' };
        const { error } = await window.client.auth.signUp(account);
        if (error) throw error;
      },
      { url: workerBranch.url, key: workerBranch.anonKey },
    );
    await use(page);
  },
});

test('auth refreshes and signs out', async ({ ben }) => {
  const seen = await ben.evaluate(async () => {
    const { data } = await window.client.auth.refreshSession();
    const { data: after } = await window.client.auth.getUser();
    await window.client.auth.signOut();
    const { data: out } = await window.client.auth.getSession();
    return [data.session?.user.id === after.user?.id, out.session];
  });
  expect(seen).toEqual([true, null]);
});

test('rows are written and read', async ({ ben }) => {
  const seen = await ben.evaluate(async () => {
    await window.client.from('carts').insert({}).throwOnError();
    const { data } = await window.client.from('carts').select('paid').throwOnError();
    return data;
  });
  expect(seen).toEqual([{ paid: false }]);
});

test('files are stored, and read by a signed address', async ({ ben, workerBranch }) => {
  const [address, text] = await ben.evaluate(async () => {
    const receipts = window.client.storage.from('receipts');
    const path = `${crypto.randomUUID()}.txt`;
    const { error } = await receipts.upload(path, new Blob(['paid'], { type: 'text/plain' }));
    if (error) throw error;
    const { data } = await receipts.createSignedUrl(path, 60);
    const signed = data?.signedUrl ?? '';
    return [signed, await (await fetch(signed)).text()] as const;
  });
  expect(address).toContain(`${workerBranch.url}/storage/v1/`);
  expect(text).toBe('paid');
});

test('functions are called', async ({ ben }) => {
  const said = await ben.evaluate(async () => {
    const { data } = await window.client.functions.invoke<unknown>('greet', { body: { name: 'Ben' } });
    return data;
  });
  expect(said).toEqual({ said: 'Hello Ben' });
});

test('broadcasts and changes arrive', async ({ ben }) => {
  const seen = await ben.evaluate(async () => {
    const { client } = window;
    const told: string[] = [];
    const channel = client.channel('carts', { config: { broadcast: { self: true } } });
    const change = new Promise<void>((resolve) => {
      channel.on('postgres_changes', { event: '*', schema: 'public', table: 'carts' }, ({ eventType }) => {
        told.push(eventType);
        resolve();
      });
    });
    const broadcast = new Promise<void>((resolve) => {
      channel.on('broadcast', { event: 'paid' }, ({ event }) => {
        told.push(event);
        resolve();
      });
    });
    await new Promise<void>((resolve) => {
      channel.subscribe((status: string) => {
        if (status === 'SUBSCRIBED') resolve();
      });
    });
    await client.from('carts').insert({}).throwOnError();
    await change;
    await channel.send({ type: 'broadcast', event: 'paid', payload: {} });
    await broadcast;
    return told;
  });
  expect(seen).toEqual(['INSERT', 'paid']);
});
