import { act, render, screen } from '@testing-library/react';
import { toast, Toaster } from 'sonner';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toastError, toastSuccess } from './toast';

const shown = (title: string) => vi.waitFor(() => expect(screen.getByText(title)).toBeInTheDocument());
const gone = (title: string) => vi.waitFor(() => expect(screen.queryByText(title)).toBeNull());

describe('a success', () => {
  afterEach(() => {
    act(() => void toast.dismiss());
  });

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
