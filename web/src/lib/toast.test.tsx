import { act, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { toast, Toaster as Sonner } from 'sonner';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openToasts, toastError, toastSuccess } from './toast';

function Toaster() {
  useEffect(() => openToasts(toast), []);
  return <Sonner />;
}

const shown = (title: string) => vi.waitFor(() => expect(screen.getByText(title)).toBeInTheDocument());
const gone = (title: string) => vi.waitFor(() => expect(screen.queryByText(title)).toBeNull());

afterEach(() => {
  act(() => void toast.dismiss());
});

// first of all: the place is open from then on
it('is kept until there is a place to show it, in the order in which it was said', async () => {
  toastError('Sign In Failed', 'Invalid login credentials');
  toastSuccess('Welcome back!', undefined, 'door');
  render(<Toaster />);
  await shown('Welcome back!');
  await shown('Sign In Failed');
});

describe('a success', () => {
  it('takes away the failure it would contradict', async () => {
    render(<Toaster />);
    act(() => toastError('Sign In Failed', 'Invalid login credentials'));
    await shown('Sign In Failed');
    act(() => toastSuccess('Welcome back!'));
    await gone('Sign In Failed');
    await shown('Welcome back!');
  });

  it('leaves the failure of another row', async () => {
    render(<Toaster />);
    act(() => toastError('Error', 'Aqua could not be saved', 'aqua'));
    await shown('Aqua could not be saved');
    act(() => toastSuccess('Saved', 'Fit', 'fit'));
    await shown('Fit');
    expect(screen.getByText('Aqua could not be saved')).toBeInTheDocument();
    act(() => toastSuccess('Saved', 'Aqua', 'aqua'));
    await gone('Aqua could not be saved');
  });
});
