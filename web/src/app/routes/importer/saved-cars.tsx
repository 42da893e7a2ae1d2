import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BookmarkX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { offerPath } from '@/widgets/offers/offer-path';
import { ContactAgent } from '@/widgets/offers/contact-agent';
import { EmptyState } from '@/components/empty-state';
import { PageHeading } from '@/components/page-heading';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { useCardGrid } from '@/components/use-card-grid';
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
import { savedCountQueryOptions } from '@/features/posts/data/counts-query';
import type { Post } from '@/features/posts/data/posts-query';
import { useRemoveSavedPost } from '@/features/posts/data/saved-post-remove-mutation';
import { followSaved, savedPostsOptions, type SavedPost } from '@/features/posts/data/saved-posts-query';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useSignedIn } from '@/lib/auth/auth-context';
import { usePagedList, type PagedList as List } from '@/lib/lists/use-paged-list';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { toastError, toastSuccess } from '@/lib/toast';

// IMSV-005, IMSV-006
export default function SavedCarsScreen() {
  const { user } = useSignedIn();
  const client = useQueryClient();
  useRowChanges(tableChanges.agentPosts, 'saved', (changes) => followSaved(client, user.id, changes));
  const list = usePagedList(savedPostsOptions(client, user.id));
  const { data: count } = useQuery({ ...savedCountQueryOptions(user.id), enabled: false });
  useErrorToast(list.error, errors.title, copy.failed);
  return (
    <div>
      <header className="mb-6">
        <div className="flex items-center gap-3">
          <PageHeading>{copy.title}</PageHeading>
          {count !== undefined && (
            <Badge tone="tag" className="figures">
              {count.toLocaleString('en-US')}
              <span className="sr-only"> {copy.count(count)}</span>
            </Badge>
          )}
        </div>
        <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
      </header>
      <LostSavesNote userId={user.id} />
      <QueryView query={list} error={copy.failed} pending={<CarTilesSkeleton />}>
        {() => <SavedList list={list} count={count} userId={user.id} />}
      </QueryView>
    </div>
  );
}

interface SavedListProps {
  list: List<SavedPost>;
  count: number | undefined;
  userId: string;
}

function SavedList({ list, count, userId }: SavedListProps) {
  const grid = useCardGrid({ height: 600, virtualFrom: 24 });
  if (list.data?.length === 0 && !list.hasMore) {
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
    <PagedList list={list} total={count} {...grid}>
      {(entry) =>
        entry.post ? (
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
        )
      }
    </PagedList>
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
