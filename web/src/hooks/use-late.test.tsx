import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { late, type Late } from '@/lib/late';
import { useLateOpening } from './use-late';

const toastError = vi.hoisted(() => vi.fn());
vi.mock('@/lib/toast', () => ({ toastError }));
// Nobody rests here: what comes, comes because it was asked for.
vi.mock('./use-idle', () => ({ useWhenIdle: () => undefined }));

function Opening({ part }: { part: Late<string> }) {
  const [isOpen, setOpen] = useState(false);
  const words = useLateOpening(part, isOpen, () => setOpen(false));
  return (
    <>
      <button onClick={() => setOpen(true)}>{isOpen ? 'Asked' : 'Ask'}</button>
      {isOpen && words && <p>{words}</p>}
    </>
  );
}

const askTwice = () => {
  fireEvent.click(screen.getByRole('button'));
  fireEvent.click(screen.getByRole('button'));
};

describe('what a press opens and is not there yet', () => {
  it('is fetched once by two presses, and opens when it comes', async () => {
    let come: (words: string) => void = () => undefined;
    const coming = new Promise<string>((resolve) => (come = resolve));
    const fetchWords = vi.fn(() => coming);
    render(<Opening part={late(fetchWords)} />);
    expect(fetchWords).not.toHaveBeenCalled();
    askTwice();
    expect(screen.queryByText('Here')).toBeNull();
    await act(async () => {
      come('Here');
      await coming;
    });
    expect(screen.getByText('Here')).toBeVisible();
    expect(fetchWords).toHaveBeenCalledTimes(1);
  });

  it('says so when it does not come, and comes at the next press', async () => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const fetchWords = vi.fn(() => Promise.reject<string>(new TypeError('Failed to fetch')));
    render(<Opening part={late(fetchWords)} />);
    fireEvent.click(screen.getByRole('button'));
    expect(await screen.findByRole('button', { name: 'Ask' })).toBeVisible();
    expect(toastError).toHaveBeenCalledTimes(1);
    fetchWords.mockResolvedValue('Here');
    fireEvent.click(screen.getByRole('button'));
    expect(await screen.findByText('Here')).toBeVisible();
  });

  it('comes by itself when the line is back', async () => {
    const fetchWords = vi.fn(() => Promise.resolve('Here'));
    render(<Opening part={late(fetchWords)} />);
    await act(async () => {
      window.dispatchEvent(new Event('online'));
      await Promise.resolve();
    });
    fireEvent.click(screen.getByRole('button'));
    expect(screen.getByText('Here')).toBeVisible();
    expect(fetchWords).toHaveBeenCalledTimes(1);
  });
});
