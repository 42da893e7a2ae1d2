/** A list of offers that is told what changes. */
import type { QueryClient } from '@tanstack/react-query';
import { followList, type Missed } from '@/lib/lists/follow-list';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { OfferSearch } from '../offer-search';
import { offerKeys } from './keys';
import type { Offer, OfferChanges } from './offer-answers';
import { offerListOptions, readOfferChanges } from './offers-query';
import { withOwnMarks } from './saves';

type MissedOffers = Missed<Offer> & Pick<OfferChanges, 'counts'>;

export function followOffers(client: QueryClient, search: OfferSearch, changes: RowChanges): Promise<void> {
  const fitting = new Set<string>();
  return followList<Offer, MissedOffers>(
    client,
    {
      options: offerListOptions(client, search),
      ask: async (seconds, shown) => {
        const askedAt = Date.now();
        const told = await readOfferChanges(search, seconds, shown);
        for (const { offer, fits } of told.rows) if (fits) fitting.add(offer.id);
        return { ...told, rows: told.rows.map(({ offer }) => withOwnMarks(client, askedAt, offer)) };
      },
      onTold: ({ counts }) => client.setQueryData(offerKeys.counts(search), counts),
      fits: ({ id }) => fitting.has(id),
      merge: (offer, { cursor }) => ({ ...offer, cursor }),
      alsoIn: offerKeys.lists,
    },
    changes,
  );
}
