/** The lists that are shown, to be made right after a decision without waiting to be told of it. */
type Follow = () => Promise<unknown>;

const shown = new Set<Follow>();

export function followWhileShown(follow: Follow): () => void {
  shown.add(follow);
  return () => void shown.delete(follow);
}

export async function followShownLists(): Promise<void> {
  await Promise.all([...shown].map((follow) => follow()));
}
