import { ArrowLeft } from 'lucide-react';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { importOffers as copy } from '@/copy/import-offers';
import { createPost } from '@/copy/post-form';
import { ImportOffers } from '@/features/posts/components/import-offers';
import { PostPermission } from '@/features/posts/components/post-permission';
import { useSignedIn } from '@/lib/auth/auth-context';
import { useNavigate } from '@/lib/navigation/use-navigate';

export default function ImportPostsScreen() {
  const { profile } = useSignedIn();
  const navigate = useNavigate();
  return (
    <div className="max-w-[62rem]">
      <Button variant="ghost" className="-ml-3 px-2" onClick={() => navigate(-1)}>
        <ArrowLeft aria-hidden />
        {createPost.back}
      </Button>
      <PageHeading className="mt-3">{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.lead}</p>
      <PostPermission profile={profile}>
        <ImportOffers />
      </PostPermission>
    </div>
  );
}
