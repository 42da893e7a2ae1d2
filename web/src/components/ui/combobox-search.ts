/** What a text finds in the list of a combobox. Accents and capitals make no difference. */
import type { ComboboxOption } from './combobox';

/** Another name first, typed in full; then names that start with the text, then those that contain it. */
export function matchingOptions(options: readonly ComboboxOption[], query: string): ComboboxOption[] {
  const text = plain(query);
  if (text === '') return [...options];
  return options
    .map((option) => ({ option, rank: rankOf(option, text) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}

/** A browser's autofill types the whole name and leaves: that is a pick too. */
export function exactOption(
  options: readonly ComboboxOption[],
  query: string | null,
): ComboboxOption | undefined {
  const text = plain(query ?? '');
  return options.find((option) => plain(option.value) === text || namesOf(option).includes(text));
}

const NO_MATCH = 4;

function rankOf(option: ComboboxOption, text: string): number {
  const [label = '', ...aliases] = namesOf(option);
  if (aliases.includes(text)) return 0;
  if (label.startsWith(text)) return 1;
  if (aliases.some((alias) => alias.startsWith(text))) return 2;
  return label.includes(text) ? 3 : NO_MATCH;
}

function namesOf({ label, aliases = [] }: ComboboxOption): string[] {
  return [label, ...aliases].map(plain);
}

function plain(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/’/g, "'");
}
