/** Changes come in bursts: each is handled once it pauses, and the next one only after that is done. */
const DEBOUNCE_MS = 150;

/** `handle` gets all that was added, in its order. */
export function inBatches<Item>(handle: (items: readonly Item[]) => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let items: Item[] = [];
  let isBusy = false;
  const flush = async () => {
    if (isBusy) return;
    isBusy = true;
    const handled = items;
    items = [];
    try {
      await handle(handled);
    } finally {
      isBusy = false;
      if (items.length > 0) wait();
    }
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), DEBOUNCE_MS);
  };
  const add = (item: Item) => {
    items.push(item);
    wait();
  };
  const stop = () => {
    clearTimeout(timer);
    items = [];
  };
  return { add, stop };
}
