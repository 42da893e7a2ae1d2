/** Opens the app at an address, as the browser does, and reads what a person reads. */
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import './browser-gaps';
import './service';

/** `state` is what another screen would have handed over in the navigation. */
export async function visit(path: string, state: unknown = null): Promise<void> {
  window.history.pushState({ usr: state, key: 'visit', idx: 0 }, '', path);
  const { Providers } = await import('@/app/providers');
  await import('@/components/ui/toaster');
  render(<Providers />);
  await settled();
}

/** Until the screen is loaded and nothing says 'Loading' any more, unless that is what it goes on saying. */
async function settled(): Promise<void> {
  await vi.waitFor(() => expect(document.querySelector('h1, [role=status]')).not.toBeNull(), 15_000);
}

export function fill(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

/** The first letter opens the list, with what begins so. */
export async function pick(label: string, query: string, option: string): Promise<void> {
  fireEvent.keyDown(screen.getByRole('combobox', { name: label }), { key: query.slice(0, 1) });
  const search = await screen.findByRole('combobox', { name: /search/i });
  fireEvent.change(search, { target: { value: query } });
  fireEvent.click(screen.getByRole('option', { name: new RegExp(`^${option}`) }));
}

/** Presses a button and lets what follows at once happen. */
export async function press(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => {
    fireEvent.click(button);
    await Promise.resolve();
  });
}

export async function openTab(name: string): Promise<void> {
  fireEvent.mouseDown(await screen.findByRole('tab', { name }));
}

export const address = () => window.location.pathname + window.location.search;

export async function expectAddress(expected: string): Promise<void> {
  await vi.waitFor(() => expect(address()).toBe(expected), 15_000);
}

/** The toast with this title, which reads as one sentence with what it says besides. */
export async function expectToast(title: string, description?: string): Promise<HTMLElement> {
  const region = await screen.findByRole('region', { name: /notifications/i });
  const toast = (await within(region).findByText(title)).closest('li');
  if (!toast) throw new Error(`'${title}' is not the title of a toast.`);
  const joint = /[.!?]$/.test(title) ? ' ' : ': ';
  const sentence = description === undefined ? title : `${title}${joint}${description}`;
  expect(toast.querySelector('[data-content]')?.textContent).toBe(sentence);
  return toast;
}

/** The message above the form. */
export async function expectRefusal(text: string): Promise<void> {
  // the page that loads has a main part of its own
  const alert = () => within(screen.getByRole('main')).getByRole('alert');
  await vi.waitFor(() => expect(alert().textContent).toBe(text), 15_000);
}
