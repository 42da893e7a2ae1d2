/** What a text finds in the list of a combobox. Accents and capitals make no difference. */
import type { ComboboxOption } from './combobox';

/** Another name first, typed in full; then labels that start with the text; then its code and the beginnings of other names. */
export function matchingOptions(options: readonly ComboboxOption[], query: string): ComboboxOption[] {
  const text = plain(query);
  if (text === '') return [...options];
  return options
    .map((option) => ({ option, rank: rankOf(option, text) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}

/** What a browser's autofill means by a whole name or a code. */
export function exactOption(options: readonly ComboboxOption[], query: string): ComboboxOption | undefined {
  const text = plain(query);
  return options.find((option) =>
    [plain(option.value), plain(option.label), ...otherNamesOf(option)].includes(text),
  );
}

const NO_MATCH = 4;

function rankOf(option: ComboboxOption, text: string): number {
  const label = plain(option.label);
  const others = otherNamesOf(option);
  if (others.includes(text)) return 0;
  if (label.startsWith(text)) return 1;
  if (plain(option.value) === text || others.some((name) => name.startsWith(text))) return 2;
  return label.includes(text) ? 3 : NO_MATCH;
}

function otherNamesOf({ own, aliases = [] }: ComboboxOption): string[] {
  return [...(own ? [own.name] : []), ...aliases].map(plain);
}

function plain(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/’/g, "'");
}
