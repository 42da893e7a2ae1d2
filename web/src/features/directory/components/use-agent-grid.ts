/** How cards of agents stand: one, two or three beside each other. */
import { useMediaQuery } from '@/hooks/use-media-query';

/** A card is large: of more than a few pages of them only those near the window are drawn. */
const VIRTUAL_FROM = 18;
const CARD_PX = 380;
const GAP_PX = 20;

export function useAgentGrid() {
  const isWide = useMediaQuery('(width >= 80rem)');
  const isMiddle = useMediaQuery('(width >= 40rem)');
  return {
    columns: isWide ? 3 : isMiddle ? 2 : 1,
    rowHeight: CARD_PX,
    gap: GAP_PX,
    virtualFrom: VIRTUAL_FROM,
    className: 'grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3',
  };
}
