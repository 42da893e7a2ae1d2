/** Who holds a visitor back before a page is left: a form with changes. */
export interface Guard {
  /** Told the paths of the page that would be left and of the next. */
  holds: (from: string, to: string) => boolean;
  ask: (leave: () => void) => void;
}

export class Guards {
  private readonly guards = new Set<Guard>();

  readonly add = (guard: Guard) => {
    this.guards.add(guard);
    return () => void this.guards.delete(guard);
  };

  /** Whether somebody was asked; `leave` is what happens when they want to go all the same. */
  ask(from: string, to: string, leave: () => void): boolean {
    const guard = [...this.guards].find(({ holds }) => holds(from, to));
    guard?.ask(leave);
    return guard !== undefined;
  }
}
