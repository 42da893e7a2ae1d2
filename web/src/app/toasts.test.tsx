import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { late } from '@/lib/late';
import { toastError } from '@/lib/toast';
import { Toasts } from './toasts';

// Nobody rests here: what comes, comes because it was asked for.
vi.mock('@/hooks/use-idle', async (original) => ({
  ...(await original<object>()),
  useWhenIdle: () => undefined,
}));

const Toaster = () => <p>The place of toasts</p>;

it('tries again with the next thing that is said where the place of toasts did not come', async () => {
  const fetchPlace = vi.fn(() =>
    Promise.reject<{ Toaster: typeof Toaster }>(new TypeError('Failed to fetch')),
  );
  render(<Toasts part={late(fetchPlace)} />);
  expect(fetchPlace).not.toHaveBeenCalled();
  await act(() => {
    toastError('One');
    return Promise.resolve();
  });
  expect(fetchPlace).toHaveBeenCalledTimes(1);
  fetchPlace.mockResolvedValue({ Toaster });
  toastError('Two');
  expect(await screen.findByText('The place of toasts')).toBeVisible();
});

it('comes when the line is back', async () => {
  render(<Toasts part={late(() => Promise.resolve({ Toaster }))} />);
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText('The place of toasts')).toBeVisible();
});
