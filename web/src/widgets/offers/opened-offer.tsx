/** Shows the car an address names; the sheet itself comes when the browser rests. */
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';
import type { OpenOfferProps } from './open-offer';

const openOffer = late(() => import('./open-offer'));

export function OpenedOffer({
  postId,
  ...props
}: Omit<OpenOfferProps, 'postId'> & { postId: string | null }) {
  const module = useLateOpening(openOffer, postId !== null, props.onClose);
  return module && postId !== null && <module.OpenOffer postId={postId} {...props} />;
}
