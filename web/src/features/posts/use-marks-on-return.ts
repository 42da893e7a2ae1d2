/** Whoever comes back to the tab after a while may have saved or followed on another device meanwhile. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { readMarksAgain } from './data/marks-query';
import type { OfferSearch } from './offer-search';

const AWAY_MS = 30_000;

export function useMarksOnReturn(search: OfferSearch): void {
  const client = useQueryClient();
  const readAgain = useEffectEvent(() => void readMarksAgain(client, search));
  useEffect(() => {
    let leftAt = Infinity;
    const look = () => {
      if (document.visibilityState === 'visible' && Date.now() - leftAt >= AWAY_MS) readAgain();
      leftAt = document.visibilityState === 'hidden' ? Date.now() : Infinity;
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
}
