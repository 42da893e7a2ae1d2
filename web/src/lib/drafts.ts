/**
 * What a person typed and did not send yet, kept in this browser under their name. A guest's is kept in the tab alone:
 * the next guest of a shared computer must not read it. Passwords and files are never kept.
 */
const PREFIX = 'minato.draft.';
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

export interface DraftPlace {
  /** The person's id; null for a guest. */
  owner: string | null;
  /** Which form, and of what: 'post', 'request-edit-<id>'. */
  name: string;
}

type Values = Record<string, unknown>;

interface Draft {
  at: number;
  values: Values;
}

export function isKeptDraftKey(key: string): boolean {
  return key.startsWith(PREFIX);
}

export function readDraft(place: DraftPlace, now = Date.now()): Values | null {
  const draft = parsed(storageOf(place).getItem(keyOf(place)));
  if (draft && now - draft.at <= LIFETIME_MS) return draft.values;
  removeDraft(place);
  return null;
}

/** A full storage keeps nothing, which is no reason to stop anybody from typing. */
export function writeDraft(place: DraftPlace, values: Values, now = Date.now()): void {
  const draft: Draft = { at: now, values: storable(values) };
  try {
    storageOf(place).setItem(keyOf(place), JSON.stringify(draft));
  } catch (error) {
    console.warn('Draft could not be kept', error);
  }
}

export function removeDraft(place: DraftPlace): void {
  storageOf(place).removeItem(keyOf(place));
}

/** What may be kept of a form's values. */
export function storable(values: Values): Values {
  const kept = Object.entries(values).filter(([name, value]) => !/password/i.test(name) && isPlain(value));
  return Object.fromEntries(kept);
}

function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return isRecord(value) && Object.values(value).every(isPlain);
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function parsed(text: string | null): Draft | null {
  try {
    const draft: unknown = JSON.parse(text ?? 'null');
    return isRecord(draft) && typeof draft.at === 'number' && isRecord(draft.values)
      ? { at: draft.at, values: draft.values }
      : null;
  } catch {
    return null;
  }
}

function keyOf({ owner, name }: DraftPlace): string {
  return `${PREFIX}${owner ?? 'guest'}.${name}`;
}

function storageOf({ owner }: DraftPlace): Storage {
  return owner === null ? sessionStorage : localStorage;
}
