import { expect, it } from 'vitest';
import { clientWith } from './support/people';
import { target } from './support/target';
import { testedClient } from './support/tested-client';

const tested = testedClient();

it('every request is one of the supabase-js that is tested', async () => {
  const sent: Headers[] = [];
  const watched: typeof fetch = (url, init) => {
    sent.push(new Headers(init?.headers));
    return fetch(url, init);
  };
  const { error } = await clientWith(target().anonKey, watched).from('cars').select('id');
  expect(error).toBeNull();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.get('x-client-info')).toContain(`/${tested.version}`);
});

it('it runs on a Node that it was made for', () => {
  expect(Number.parseInt(process.versions.node)).toBeGreaterThanOrEqual(tested.node);
});
