/** My Reviews: agents read what importers wrote; importers also see what they wrote themselves. */
import { PageHeading } from '@/components/page-heading';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import type { UserType } from '@/config/paths';
import { reviews as copy } from '@/copy/reviews';
import { ReviewsAbout } from '@/features/reviews/components/reviews-about';
import { ReviewsWritten } from '@/features/reviews/components/reviews-written';
import { useSignedIn } from '@/lib/auth/auth-context';
import { oneOf, useSearchState } from '@/lib/search-params';

const SIDES = ['about', 'by'] as const;
const SEARCH = { tab: oneOf(SIDES, 'about') };

// IMV-001
export default function ReviewsScreen({ area }: { area: UserType }) {
  const { user } = useSignedIn();
  const [{ tab }, setSearch] = useSearchState(SEARCH);
  return (
    <div className="max-w-[62rem]">
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle[area]}</p>
      <Tabs
        value={tab}
        onValueChange={(value) => setSearch({ tab: SIDES.find((side) => side === value) ?? 'about' })}
      >
        <TabsList aria-label={copy.title}>
          <TabsTrigger value="about" className="sm:flex-none">
            {copy.tabs.about}
          </TabsTrigger>
          <TabsTrigger value="by" className="sm:flex-none">
            {copy.tabs.by}
          </TabsTrigger>
        </TabsList>
        <TabsContent value="about">
          <ReviewsAbout userId={user.id} />
        </TabsContent>
        <TabsContent value="by">
          <ReviewsWritten userId={user.id} />
        </TabsContent>
      </Tabs>
    </div>
  );
}
