import { PenLine } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { lazyPart } from '@/app/late-screen';
import { OfferFeed, useFeed } from '@/widgets/offers/offer-feed';
import { RequestsSkeleton } from '@/widgets/requests/requests-skeleton';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { agentFeed as copy, newPost } from '@/copy/posts';
import { useWhenIdle } from '@/hooks/use-idle';

const loadRequests = () => import('@/widgets/requests/live-requests');
const LiveRequests = lazyPart(loadRequests);

const TABS = ['offers', 'requests'] as const;

export default function AgentFeedScreen() {
  const [search, setSearch] = useSearchParams();
  useWhenIdle(loadRequests);
  const tab = TABS.find((name) => name === search.get('tab')) ?? 'offers';
  return (
    <div className="max-w-[61rem]">
      <header className="mb-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <PageHeading title={navigation.agent.feed}>{copy.title}</PageHeading>
          <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
        </div>
        <div className="flex w-full flex-wrap gap-3 sm:w-auto">
          <Button writes variant="outline" asChild className="flex-1 sm:flex-none">
            <Link to={paths.agent.importPosts}>{newPost.importList}</Link>
          </Button>
          <Button writes asChild className="flex-1 sm:flex-none">
            <Link to={paths.agent.createPost}>
              <PenLine aria-hidden />
              {newPost.title}
            </Link>
          </Button>
        </div>
      </header>
      <Tabs value={tab} onValueChange={(next) => setSearch({ tab: next }, { replace: true })}>
        <TabsList aria-label={copy.title}>
          {TABS.map((name) => (
            <TabsTrigger key={name} value={name} className="sm:flex-none">
              {copy.tabs[name]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="offers" className="pt-5">
          <Offers />
        </TabsContent>
        <TabsContent value="requests" className="pt-5">
          <Suspense fallback={<RequestsSkeleton />}>
            <LiveRequests />
          </Suspense>
        </TabsContent>
      </Tabs>
    </div>
  );
}

function Offers() {
  return <OfferFeed feed={useFeed()} />;
}
