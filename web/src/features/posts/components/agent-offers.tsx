/** What one agent offers, for the agent's public profile. */
import { useQuery } from '@tanstack/react-query';
import { GrowingList } from '@/components/growing-list';
import { ErrorPanel } from '@/components/error-panel';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { errors } from '@/copy/errors';
import { agentOffers as copy } from '@/copy/offers';
import { useNow } from '@/hooks/use-now';
import { agentPostsQueryOptions, type Post } from '../data/posts-query';
import { OfferRow, OfferRowSkeleton } from './offer-row';

const PAGE = 5;

interface AgentOffersProps {
  agentId: string;
  /** Where the reader sees a car in full. */
  pathOf: (postId: string) => string;
}

export function AgentOffers({ agentId, pathOf }: AgentOffersProps) {
  const { data, error, refetch } = useQuery(agentPostsQueryOptions(agentId));
  return (
    <Card aria-labelledby="agent-offers-title" aria-busy={!data && !error}>
      <CardHeader>
        <CardTitle id="agent-offers-title">
          {copy.title}
          {data && data.length > 0 && <span className="figures"> ({data.length})</span>}
        </CardTitle>
      </CardHeader>
      {data ? (
        <Offers posts={data} pathOf={pathOf} />
      ) : error ? (
        <div className="p-4">
          <ErrorPanel error={error} fallback={errors.fetch.posts} onRetry={() => void refetch()} />
        </div>
      ) : (
        <OfferRowSkeleton />
      )}
    </Card>
  );
}

function Offers({ posts, pathOf }: { posts: Post[]; pathOf: AgentOffersProps['pathOf'] }) {
  const now = useNow();
  if (posts.length === 0) return <p className="p-4 text-muted-foreground sm:px-5">{copy.empty}</p>;
  return (
    <GrowingList items={posts} page={PAGE} inBox className="divide-y">
      {(post) => (
        <li key={post.id}>
          <OfferRow post={post} now={now} to={pathOf(post.id)} />
        </li>
      )}
    </GrowingList>
  );
}
