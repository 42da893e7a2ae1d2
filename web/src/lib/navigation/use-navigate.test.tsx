import { act, render } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { useNavigate, type Navigate } from './use-navigate';

/** The pages `/form` and `/elsewhere`, where the visitor stands, and how the form and the visitor go on. */
function site() {
  const seen: { form?: Navigate; visitor?: Navigate; path?: string } = {};
  const Form = () => {
    seen.form = useNavigate();
    return null;
  };
  const Frame = () => {
    seen.visitor = useNavigate();
    seen.path = useLocation().pathname;
    return (
      <Routes>
        <Route path="/form" element={<Form />} />
        <Route path="*" element={null} />
      </Routes>
    );
  };
  render(
    <MemoryRouter initialEntries={['/form']}>
      <Frame />
    </MemoryRouter>,
  );
  return seen;
}

it('A form takes the visitor to the next page', () => {
  const seen = site();
  act(() => seen.form?.('/done'));
  expect(seen.path).toBe('/done');
});

it('A form whose answer comes late takes nobody away from where they went on', () => {
  const seen = site();
  act(() => seen.visitor?.('/elsewhere'));
  act(() => seen.form?.('/done'));
  expect(seen.path).toBe('/elsewhere');
});
