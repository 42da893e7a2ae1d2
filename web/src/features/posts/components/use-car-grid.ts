/** How tiles of cars stand: one, two or three beside each other. */
import { useMediaQuery } from '@/hooks/use-media-query';

/** A tile is large: of more than a page of them only those near the window are drawn. */
const VIRTUAL_FROM = 24;
const TILE_PX = 600;
const GAP_PX = 20;

export function useCarGrid() {
  const isWide = useMediaQuery('(width >= 80rem)');
  const isMiddle = useMediaQuery('(width >= 40rem)');
  return {
    columns: isWide ? 3 : isMiddle ? 2 : 1,
    rowHeight: TILE_PX,
    gap: GAP_PX,
    virtualFrom: VIRTUAL_FROM,
    className: 'grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3',
  };
}
