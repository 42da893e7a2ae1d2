import { expect, it, vi } from 'vitest';
import { Navigation } from './navigation';

/** The entry of the history that a load of the page begins at. */
async function loadedEntry(): Promise<string | undefined> {
  const navigation = new Navigation([]);
  await vi.waitFor(() => expect(navigation.getPlace()).toBeDefined());
  return navigation.getPlace()?.location.key;
}

it('A reload is the same entry, and an address that is typed in the tab another one', async () => {
  window.history.replaceState(null, '', '/feed');
  const first = await loadedEntry();
  expect(await loadedEntry()).toBe(first);
  window.history.pushState(null, '', '/saved');
  const typed = await loadedEntry();
  expect(typed).not.toBe(first);
  window.history.pushState(null, '', '/feed');
  expect([first, typed]).not.toContain(await loadedEntry());
});
