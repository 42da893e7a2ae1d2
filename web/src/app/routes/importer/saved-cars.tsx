import { useQuery } from '@tanstack/react-query';
import { BookmarkX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { offerPath } from '@/widgets/offers/offer-path';
import { ContactAgent } from '@/widgets/offers/contact-agent';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { savedCars as copy } from '@/copy/cars';
import { errors } from '@/copy/errors';
import { lostSaves } from '@/copy/offers';
import { AvailabilityBadge } from '@/features/posts/components/offer-card';
import { CarTile } from '@/features/posts/components/car-tile';
import { LostSavesNote } from '@/features/posts/components/lost-saves-note';
import { CarTilesSkeleton } from '@/features/posts/components/car-tile-skeleton';
import { savedPostKeys } from '@/features/posts/data/keys';
import type { Post } from '@/features/posts/data/posts-query';
import { useRemoveSavedPost } from '@/features/posts/data/saved-post-remove-mutation';
import { savedPostsQueryOptions, type SavedPost } from '@/features/posts/data/saved-posts-query';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { toastError, toastSuccess } from '@/lib/toast';

const PAGE = 30;

// IMSV-005, IMSV-006
export default function SavedCarsScreen() {
  const { user } = useSignedIn();
  useTableChanges(tableChanges.agentPosts, savedPostKeys.all);
  const query = useQuery(savedPostsQueryOptions(user.id));
  const { data } = query;
  useErrorToast(query.error, errors.title, copy.failed);
  return (
    <div>
      <header className="mb-6">
        <div className="flex items-center gap-3">
          <PageHeading>{copy.title}</PageHeading>
          {data && (
            <Badge tone="tag" className="figures">
              {data.length}
              <span className="sr-only"> {copy.count(data.length)}</span>
            </Badge>
          )}
        </div>
        <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
      </header>
      <LostSavesNote userId={user.id} />
      <QueryView query={query} error={copy.failed} pending={<CarTilesSkeleton />}>
        {(saved) => <SavedList saved={saved} userId={user.id} />}
      </QueryView>
    </div>
  );
}

function SavedList({ saved, userId }: { saved: SavedPost[]; userId: string }) {
  if (saved.length === 0) {
    return (
      <EmptyState
        title={copy.empty.title}
        text={copy.empty.text}
        action={
          <Button asChild>
            <Link to={paths.importer.feed}>{copy.empty.action}</Link>
          </Button>
        }
        className="rounded-card border bg-card"
      />
    );
  }
  return (
    <>
      <GrowingList items={saved} page={PAGE} className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {(entry) => (
          <li key={entry.id}>
            {entry.post ? (
              <CarTile
                post={entry.post}
                to={offerPath('importer', entry.post_id)}
                badge={<AvailabilityBadge status={entry.post.availability_status} />}
                actions={
                  <>
                    <ContactAgent post={entry.post} label={copy.contact} />
                    <RemoveButton entry={entry} car={nameOf(entry.post)} userId={userId} />
                  </>
                }
              />
            ) : (
              <HiddenTile entry={entry} userId={userId} />
            )}
          </li>
        )}
      </GrowingList>
    </>
  );
}

const nameOf = (post: Post) => `${post.car_name} ${post.model}`;

/** The car of an agent who is suspended: kept, because it may come back. */
function HiddenTile({ entry, userId }: { entry: SavedPost; userId: string }) {
  const { title, text } = lostSaves.hidden;
  return (
    <div className="flex h-full flex-col justify-between gap-4 rounded-card border bg-card p-4">
      <EmptyState title={title} text={text} />
      <RemoveButton entry={entry} car={title} userId={userId} />
    </div>
  );
}

interface RemoveButtonProps {
  entry: SavedPost;
  car: string;
  userId: string;
}

function RemoveButton({ entry, car, userId }: RemoveButtonProps) {
  const { mutate } = useRemoveSavedPost(userId);
  const remove = () =>
    mutate(entry, {
      onSuccess: () => toastSuccess(copy.removed.title, copy.removed.text),
      onError: () => toastError(errors.title, copy.removeFailed),
    });
  return (
    <Button writes size="small" variant="outline" aria-label={`${copy.remove} ${car}`} onClick={remove}>
      <BookmarkX aria-hidden />
      {copy.remove}
    </Button>
  );
}
