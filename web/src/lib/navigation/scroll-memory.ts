/** How far each entry of the history was scrolled, kept in the tab for a reload. */
const STORED = 'minato.scroll';

/** What stands in the page that is shown and knows better than a height where the reader was, for it may have moved. */
interface Mark {
  keep: () => void;
  /** How far to scroll; undefined where it does not know. */
  height: () => number | undefined;
}

export class ScrollMemory {
  private readonly heights = readHeights();
  private readonly marks = new Set<Mark>();

  mark(mark: Mark): () => void {
    this.marks.add(mark);
    return () => void this.marks.delete(mark);
  }

  remember(key: string): void {
    this.heights.set(key, window.scrollY);
    for (const { keep } of this.marks) keep();
  }

  /** `key` is the entry that is shown. */
  heightOf(key: string): number | undefined {
    const known = [...this.marks].map(({ height }) => height()).find((height) => height !== undefined);
    return known ?? this.heights.get(key);
  }

  /** A full or forbidden storage keeps nothing: the page starts at its top then. */
  store(): void {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...this.heights]));
    } catch (error) {
      console.warn('Where pages were left could not be kept', error);
    }
  }
}

function readHeights(): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return new Map(Array.isArray(stored) ? stored.filter(isHeight) : []);
  } catch {
    return new Map();
  }
}

function isHeight(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
