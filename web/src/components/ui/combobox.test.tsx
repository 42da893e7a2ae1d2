import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Combobox } from './combobox';

const options = [
  { value: 'JM', label: 'Jamaica' },
  { value: 'JP', label: 'Japan' },
  { value: 'AZ', label: 'Azerbaijan' },
];

function Countries() {
  const [value, setValue] = useState('');
  return (
    <>
      <label htmlFor="country">Country</label>
      <Combobox
        id="country"
        aria-invalid={false}
        aria-describedby={undefined}
        options={options}
        value={value}
        onChange={setValue}
        placeholder="Search"
        emptyText="Nothing"
      />
      <output>{value}</output>
    </>
  );
}

describe('the combobox', () => {
  it('filters while typing, names that start with the text first, and picks by keyboard', async () => {
    render(<Countries />);
    await userEvent.type(screen.getByRole('combobox', { name: 'Country' }), 'ja');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'Jamaica',
      'Japan',
      'Azerbaijan',
    ]);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByRole('status')).toHaveTextContent('JP');
    expect(screen.getByRole('combobox')).toHaveValue('Japan');
  });

  it('restores the pick when the text is left unfinished, and takes a whole name as a pick', async () => {
    render(<Countries />);
    const field = screen.getByRole('combobox');
    await userEvent.type(field, 'jamaica');
    await userEvent.tab();
    expect(screen.getByRole('status')).toHaveTextContent('JM');
    await userEvent.clear(field);
    await userEvent.type(field, 'xyz');
    await userEvent.keyboard('{Escape}');
    expect(field).toHaveValue('Jamaica');
  });
});
