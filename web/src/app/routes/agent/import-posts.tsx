import { PageHeading } from '@/components/page-heading';
import { importOffers as copy } from '@/copy/import-offers';
import { BackButton } from '@/features/posts/components/back-button';
import { ImportOffers } from '@/features/posts/components/import-offers';
import { PostPermission } from '@/features/posts/components/post-permission';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function ImportPostsScreen() {
  const { profile } = useSignedIn();
  return (
    <div className="max-w-[62rem]">
      <BackButton />
      <PageHeading className="mt-3">{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.lead}</p>
      <PostPermission profile={profile}>
        <ImportOffers />
      </PostPermission>
    </div>
  );
}
