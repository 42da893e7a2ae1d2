/** What a person wrote that has not arrived, and what brings it on its way: the line coming back, a look now and then. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { readNews } from './data/follow-messages';
import { toastSent } from './data/message-send-mutation';
import { deliver } from './outbox/delivery';
import { changeOutgoing, onOutgoingChange, outgoing, type OutgoingMessage } from './outbox/outbox';

const RETRY_MS = 5_000;

export function useOutgoing(userId: string): OutgoingMessage[] {
  return useSyncExternalStore(onOutgoingChange, () => outgoing(userId));
}

export function useDeliver(userId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    if ((await deliver(userId)) === 0) return;
    toastSent();
    await readNews(queryClient, userId);
  }, [userId, queryClient]);
}

/** Belongs on every page of a signed-in person: what waits is sent wherever they are. */
export function useMessageDelivery(userId: string | undefined): void {
  const bringOn = useDeliver(userId ?? '');
  useEffect(() => {
    if (userId === undefined) return;
    // What a page that was left or reloaded was sending.
    changeOutgoing(userId, ({ state }) => state === 'sending', { state: 'waiting' });
    const look = () => {
      if (navigator.onLine && isWaiting(userId)) void bringOn();
    };
    look();
    const timer = setInterval(look, RETRY_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [userId, bringOn]);
}

function isWaiting(userId: string): boolean {
  return outgoing(userId).some(({ state }) => state === 'waiting');
}
