/** How far each entry of the history was scrolled, kept in the tab for a reload. */
const STORED = 'minato.scroll';

export class ScrollMemory {
  private readonly heights = readHeights();

  remember(key: string): void {
    this.heights.set(key, window.scrollY);
  }

  heightOf(key: string): number | undefined {
    return this.heights.get(key);
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
