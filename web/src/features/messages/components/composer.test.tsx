import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { messages } from '@/copy/messages';

const send = vi.fn<(text: string) => Promise<void>>();
const toastError = vi.fn();
vi.mock('@/lib/toast', () => ({ toastError }));
vi.mock('../data/message-send-mutation', async () => {
  const { useMutation } = await import('@/lib/use-mutation');
  return { useSendMessage: () => useMutation({ mutationFn: send }), RefusedMessage: class extends Error {} };
});

const { Composer } = await import('./composer');

const KEPT = 'minato-message:me:you';
const composer = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Composer userId="me" receiverId="you" />
    </QueryClientProvider>,
  );
const type = (text: string) => fireEvent.change(screen.getByRole('textbox'), { target: { value: text } });

/** Types a text, sends it and leaves the conversation; answers how the service refuses it. */
async function leaveWhileSending(text: string): Promise<() => void> {
  let refuse: (error: Error) => void = () => undefined;
  send.mockReturnValue(new Promise((_, reject) => (refuse = reject)));
  const { unmount } = composer();
  type(text);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(send).toHaveBeenCalled());
  unmount();
  return () => refuse(new Error('refused'));
}

afterEach(() => {
  localStorage.clear();
  vi.clearAllMocks();
});

it('Whoever left the conversation is told that the message was refused, and finds its words again', async () => {
  const refuse = await leaveWhileSending('Is it sold?');
  refuse();
  await waitFor(() => expect(toastError).toHaveBeenCalledWith(messages.failed.title, expect.any(String)));
  expect(localStorage.getItem(KEPT)).toBe('Is it sold?');
});

it('A refused message does not take the place of the one begun meanwhile', async () => {
  const refuse = await leaveWhileSending('Is it sold?');
  composer();
  type('And the price?');
  refuse();
  await waitFor(() => expect(toastError).toHaveBeenCalled());
  expect(localStorage.getItem(KEPT)).toBe('And the price?');
});
