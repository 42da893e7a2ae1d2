/** The car an address names, in a sheet over the list: also one the list does not show, and also when it is gone. */
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { Button } from '@/components/ui/button';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { availableCars } from '@/copy/cars';
import { errors } from '@/copy/errors';
import { offerLink } from '@/copy/offers';
import { ownPost } from '@/copy/posts';
import { carAvailability } from '@/features/posts/availability';
import { CarAvailabilityBadge } from '@/features/posts/components/car-availability-badge';
import { CarDetails } from '@/features/posts/components/car-details';
import { postQueryOptions, type Post, type PostCard } from '@/features/posts/data/posts-query';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';
import { ContactAgent } from './contact-agent';

export interface OpenOfferProps {
  postId: string;
  /** What the list has read: of one that is among them the sheet stands at once. */
  offers: readonly PostCard[];
  onClose: () => void;
}

/** One sheet for all it may show: what comes while somebody reads takes neither their focus nor their place. */
export function OpenOffer({ postId, offers, onClose }: OpenOfferProps) {
  const asked = useOffer(postId);
  const known = offers.find(({ id }) => id === postId);
  const post = asked.data === undefined ? known && asPost(known) : asked.data;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title={titleOf(post)} closeLabel={app.dismiss}>
        {post ? (
          <Details post={post} />
        ) : post === null ? (
          <EmptyState title={offerLink.gone.title} text={offerLink.gone.text} />
        ) : asked.error ? (
          <div className="p-4">
            <ErrorPanel
              error={asked.error}
              fallback={errors.fetch.posts}
              onRetry={() => void asked.refetch()}
            />
          </div>
        ) : (
          <Skeleton className="aspect-4/3 w-full rounded-none" />
        )}
      </SheetContent>
    </Sheet>
  );
}

function titleOf(post: Post | null | undefined): string {
  if (post === undefined) return app.loading;
  return post === null ? offerLink.gone.title : `${post.car_name} ${post.model}`;
}

function Details({ post }: { post: Post }) {
  const now = useNow();
  const { profile } = useSignedIn();
  return (
    <CarDetails
      post={post}
      badge={<CarAvailabilityBadge availability={carAvailability(post, now)} />}
      actions={<SheetActions post={post} />}
      port={profile.shipping_ports?.[0]}
    />
  );
}

/** Read again when it changes, or may have. */
function useOffer(postId: string) {
  const options = postQueryOptions(postId);
  useFreshReads(tableChanges.agentPosts, [options.queryKey], ({ row }) => row.id === postId);
  return useQuery(options);
}

/** A list does not know all of it. */
function asPost(card: PostCard): Post {
  return { ...card, features: null, specifications: null, image_urls: null };
}

function SheetActions({ post }: { post: Post }) {
  const { user, profile } = useSignedIn();
  if (post.agent_id === user.id) {
    return (
      <Button writes size="small" variant="outline" asChild className="col-span-2">
        <Link to={paths.agent.editPost(post.id)}>
          <Pencil aria-hidden />
          {ownPost.edit}
        </Link>
      </Button>
    );
  }
  return (
    <>
      {profile.user_type === 'importer' && <ContactAgent post={post} label={availableCars.contact} />}
      <Button size="small" variant="outline" asChild>
        <Link to={paths.agent.publicProfile(post.agent_id)}>{availableCars.profile}</Link>
      </Button>
    </>
  );
}
