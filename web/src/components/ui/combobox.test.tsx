import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Combobox } from './combobox';
import { Dialog, DialogContent } from './dialog';

const all = [
  { value: 'JM', label: 'Jamaica' },
  { value: 'JP', label: 'Japan', own: { name: '日本', language: 'ja' } },
  { value: 'AZ', label: 'Azerbaijan' },
];

function Countries({ onLeave }: { onLeave?: () => void }) {
  const [value, setValue] = useState('');
  return (
    <>
      <label htmlFor="country">Country</label>
      <Combobox
        id="country"
        aria-invalid={false}
        aria-describedby={undefined}
        options={() => all}
        value={value}
        text={all.find((option) => option.value === value)?.label ?? ''}
        onChange={setValue}
        onBlur={() => onLeave?.()}
        placeholder="Choose"
        searchLabel="Search"
        emptyText="Nothing"
        autoComplete="country-name"
      />
      <output>{value}</output>
    </>
  );
}

const field = () => screen.getByRole('combobox', { name: 'Country' });
const search = () => screen.findByRole('combobox', { name: 'Search' });
const names = () => screen.getAllByRole('option').map((option) => option.textContent);
const picked = () => screen.getByText(/^(J|A|$)/, { selector: 'output' }).textContent;

describe('the combobox', () => {
  // jsdom measures nothing.
  beforeAll(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = vi.fn();
        unobserve = vi.fn();
        disconnect = vi.fn();
      },
    );
  });

  it('filters while typing, names that start with the text first, and picks by keyboard', async () => {
    render(<Countries />);
    await userEvent.click(field());
    await userEvent.type(await search(), 'ja');
    expect(names()).toEqual(['Jamaica', 'Japan日本', 'Azerbaijan']);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(picked()).toBe('JP');
    expect(field()).toHaveTextContent('Japan');
    expect(field()).toHaveFocus();
  });

  it('is searched by typing on the closed field, and opened by an arrow', async () => {
    render(<Countries />);
    await userEvent.tab();
    await userEvent.keyboard('a');
    await search();
    await userEvent.keyboard('z');
    expect(await search()).toHaveValue('az');
    await userEvent.keyboard('{Enter}');
    expect(picked()).toBe('AZ');
    await userEvent.keyboard('{ArrowDown}');
    const asked = await search();
    await waitFor(() => expect(asked).toHaveFocus());
    expect(screen.getByRole('option', { name: 'Azerbaijan' })).toHaveAttribute('aria-checked', 'true');
    expect(screen.getByRole('option', { name: 'Azerbaijan' })).toHaveAttribute('aria-selected', 'true');
  });

  it('says so where nothing is found, and keeps the pick when it is left by Escape', async () => {
    const onLeave = vi.fn();
    render(<Countries onLeave={onLeave} />);
    await userEvent.click(field());
    await userEvent.click(await screen.findByRole('option', { name: 'Jamaica' }));
    await userEvent.click(field());
    await userEvent.type(await search(), 'xyz');
    expect(screen.getByText('Nothing')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    expect(field()).toHaveTextContent('Jamaica');
    expect(onLeave).toHaveBeenCalledTimes(2);
  });

  it('in a dialog takes Escape for its list alone', async () => {
    render(
      <Dialog defaultOpen>
        <DialogContent title="Address">
          <Countries />
        </DialogContent>
      </Dialog>,
    );
    await userEvent.click(field());
    expect(await screen.findAllByRole('option')).toHaveLength(3);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('option')).toBeNull();
    expect(screen.getByRole('dialog', { name: 'Address' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('takes what the browser fills in: a name or a code', () => {
    render(<Countries />);
    const filled = screen.getByRole('textbox', { hidden: true });
    fireEvent.change(filled, { target: { value: 'Japan' } });
    expect(picked()).toBe('JP');
    fireEvent.change(filled, { target: { value: 'jm' } });
    expect(picked()).toBe('JM');
    fireEvent.change(filled, { target: { value: 'Atlantis' } });
    expect(picked()).toBe('JM');
  });
});
