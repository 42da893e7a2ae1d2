import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { AppError } from '@/lib/errors';
import { QueryView, type ReadResult } from './query-view';

function show(read: Partial<ReadResult<string[]>>) {
  const refetch = vi.fn();
  const query = { data: undefined, error: null, refetch, ...read };
  const view = (
    <QueryView query={query} error="Failed to fetch cars" pending="Skeleton" empty="No cars yet">
      {(cars) => <p>{cars.join(', ')}</p>}
    </QueryView>
  );
  const { container } = render(view);
  return { refetch, text: () => container.textContent };
}

describe('a read', () => {
  it('shows its skeleton until it knows more', () => {
    expect(show({}).text()).toBe('Skeleton');
  });

  it('shows its rows, and where there are none the empty state', () => {
    expect(show({ data: ['Aqua', 'Fit'] }).text()).toBe('Aqua, Fit');
    expect(show({ data: [] }).text()).toBe('No cars yet');
  });

  it('keeps the rows it has when they cannot be read again, and says so', () => {
    const { refetch } = show({ data: ['Aqua'], error: new AppError('Broken') });
    expect(screen.getByText('Aqua')).toBeVisible();
    expect(screen.getByText(errors.stale)).toBeVisible();
    expect(screen.queryByText('Broken')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: app.tryAgain }));
    expect(refetch).toHaveBeenCalledTimes(1);
  });

  it('that failed without rows says why and offers another try', () => {
    const { refetch } = show({ error: new AppError('') });
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to fetch cars');
    fireEvent.click(screen.getByRole('button', { name: app.tryAgain }));
    expect(refetch).toHaveBeenCalledTimes(1);
  });
});
