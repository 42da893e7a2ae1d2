/** How far each list was read, by entry of the history: kept in the tab, so that Back and a reload lead there again. */
import type { Heights, SeenRow } from './seen-rows';

const STORED = 'minato.lists';
const MOST = 50;

export interface ListPlace {
  pages: number;
  /** The heights of its lines as they were drawn: without them a long list would be guessed, and scrolled to elsewhere. */
  heights: Heights;
  /** The rows that were seen, by how far below the upper edge of what scrolls each began; none at the beginning. */
  rows?: readonly SeenRow[];
  /** How far a list was scrolled that scrolls itself, in pixels. */
  top?: number;
  /** The row that had the focus last. */
  focus?: string;
}

const places = readPlaces();

export function placeOf(list: string): ListPlace | undefined {
  return places.get(list);
}

/** What is not told stays as it was kept. */
export function keepPlace(list: string, place: Partial<ListPlace>): void {
  const whole = { pages: 1, heights: {}, ...places.get(list), ...place };
  places.delete(list);
  places.set(list, whole);
  for (const oldest of [...places.keys()].slice(0, -MOST)) places.delete(oldest);
}

const keepers = new Set<() => void>();

/** Calls `keep` before the places are stored, which the order of listeners to `pagehide` does not promise. */
export function keepOnLeaving(keep: () => void): () => void {
  keepers.add(keep);
  return () => void keepers.delete(keep);
}

/** Of a list that is drawn: keeps which rows are seen, and tells how far to scroll to see them again. */
export interface Mark {
  keep: () => void;
  height: () => number | undefined;
}

const marks = new Map<string, Mark>();

/** For whoever scrolls the box of that list. */
export function markList(list: string, mark: Mark): () => void {
  marks.set(list, mark);
  return () => {
    if (marks.get(list) === mark) marks.delete(list);
  };
}

export function markOf(list: string): Mark | undefined {
  return marks.get(list);
}

/** A full or forbidden storage keeps nothing: the list starts with its first page then. */
function storePlaces(): void {
  for (const keep of keepers) keep();
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...places]));
  } catch (error) {
    console.warn('How far lists were read could not be kept', error);
  }
}

window.addEventListener('pagehide', storePlaces);

function readPlaces(): Map<string, ListPlace> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return new Map(Array.isArray(stored) ? stored.filter(isPlace) : []);
  } catch {
    return new Map();
  }
}

function isPlace(entry: unknown): entry is [string, ListPlace] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const place = entry[1] as Partial<ListPlace> | null;
  return typeof place?.pages === 'number' && isByName(place.heights) && Array.isArray(place.rows ?? []);
}

function isByName(heights: unknown): boolean {
  return typeof heights === 'object' && heights !== null && !Array.isArray(heights);
}
