import { act, fireEvent, render, screen } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DraftNote } from '@/components/form/draft-note';
import { app } from '@/copy/app';
import { AuthContext, type Auth } from '@/lib/auth/auth-context';
import { useDraft } from './use-draft';

const INITIAL = { city: '', ports: [''], password: '', photo: null as File | null };

function Form() {
  const form = useForm({ defaultValues: INITIAL });
  const draft = useDraft(form, 'test');
  return (
    <form>
      <DraftNote draft={draft} />
      <input aria-label="City" {...form.register('city')} />
      <input aria-label="Password" {...form.register('password')} />
      <button type="button" onClick={() => form.setValue('photo', new File(['x'], 'a.png'))}>
        Photo
      </button>
      <button type="button" onClick={draft.clear}>
        Sent
      </button>
      <output>{form.formState.isDirty ? 'changed' : 'untouched'}</output>
    </form>
  );
}

/** A visit to the page by a person, or by a guest. */
function open(id: string | null) {
  const auth = { user: id && { id } } as unknown as Auth;
  return render(
    <AuthContext value={auth}>
      <Form />
    </AuthContext>,
  ).unmount;
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const city = () => screen.getByLabelText<HTMLInputElement>('City').value;
const pause = () => {
  act(() => void vi.advanceTimersByTime(500));
};

describe('what is typed into a form', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    localStorage.clear();
    sessionStorage.clear();
  });

  it('stands there again at the next visit, as a change', () => {
    open('anna');
    type('City', 'Hamburg');
    pause();
    document.body.replaceChildren();
    open('anna');
    expect(city()).toBe('Hamburg');
    expect(screen.getByText('changed')).toBeVisible();
    expect(screen.getByText(app.draft.restored)).toBeVisible();
  });

  it('is kept also when the page is left before the typing paused', () => {
    const leave = open('anna');
    type('City', 'Hamburg');
    leave();
    open('anna');
    expect(city()).toBe('Hamburg');
  });

  it('belongs to the person who typed it', () => {
    open('anna')();
    const leave = open('anna');
    type('City', 'Hamburg');
    leave();
    const leaveBen = open('ben');
    expect(city()).toBe('');
    leaveBen();
    open(null);
    expect(city()).toBe('');
  });

  it('by a guest stays in the tab', () => {
    const leave = open(null);
    type('City', 'Hamburg');
    leave();
    expect(Object.keys(localStorage)).toEqual([]);
    open(null);
    expect(city()).toBe('Hamburg');
  });

  it('is never a password or a file', () => {
    const leave = open('anna');
    type('City', 'Hamburg');
    type('Password', 'correct horse');
    fireEvent.click(screen.getByRole('button', { name: 'Photo' }));
    leave();
    expect(Object.values(localStorage).join()).toContain('Hamburg');
    expect(Object.values(localStorage).join()).not.toMatch(/horse|photo|password/);
  });

  it('is forgotten once it was sent, and when the form is as it was', () => {
    const leave = open('anna');
    type('City', 'Hamburg');
    pause();
    fireEvent.click(screen.getByRole('button', { name: 'Sent' }));
    leave();
    expect(Object.keys(localStorage)).toEqual([]);
    open('anna');
    type('City', 'Hamburg');
    pause();
    type('City', '');
    pause();
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('can be given up for an empty form', () => {
    const leave = open('anna');
    type('City', 'Hamburg');
    leave();
    open('anna');
    fireEvent.click(screen.getByRole('button', { name: app.draft.discard }));
    expect(city()).toBe('');
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it.each(['nonsense', '{"at":1,"values":{"city":"Old"}}', `{"at":${Date.now()},"values":{"city":7}}`])(
    'is ignored where it does not fit: %s',
    (stored) => {
      localStorage.setItem('minato.draft.anna.test', stored);
      open('anna');
      expect(city()).toBe('');
    },
  );
});
