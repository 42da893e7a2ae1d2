/** Many questions of one moment are one read. */
interface Round<Answer> {
  ids: Set<string>;
  answer: Promise<(id: string) => Answer>;
}

/** `read` gets every id that was asked about in the same tick, and answers how to answer each. */
export function inOneRead<Answer>(read: (ids: readonly string[]) => Promise<(id: string) => Answer>) {
  let round: Round<Answer> | null = null;
  const begin = (): Round<Answer> => {
    const ids = new Set<string>();
    const end = async () => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      round = null;
      return read([...ids]);
    };
    return { ids, answer: end() };
  };
  return async (id: string): Promise<Answer> => {
    round ??= begin();
    const { ids, answer } = round;
    ids.add(id);
    return (await answer)(id);
  };
}
