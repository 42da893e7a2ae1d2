/** How cards stand: one, two or three beside each other. */
import { useMediaQuery } from '@/hooks/use-media-query';

const GAP_PX = 20;

interface Cards {
  /** About how high one is, in pixels. */
  height: number;
  /** Cards are large: of so many only those near the window are drawn. */
  virtualFrom: number;
}

export function useCardGrid({ height, virtualFrom }: Cards) {
  const isWide = useMediaQuery('(width >= 80rem)');
  const isMiddle = useMediaQuery('(width >= 40rem)');
  return {
    columns: isWide ? 3 : isMiddle ? 2 : 1,
    rowHeight: height,
    gap: GAP_PX,
    virtualFrom,
    className: 'grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3',
  };
}
