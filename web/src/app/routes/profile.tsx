/** The own profile of either kind of account: to look at, or to edit. */
import { Eye, PenLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { ownProfile as copy } from '@/copy/profiles';
import { standing } from '@/copy/standing';
import { ProfileForm } from '@/features/profiles/components/profile-form';
import { ProfileView } from '@/features/profiles/components/profile-view';
import { isSuspended, useSignedIn } from '@/lib/auth/auth-context';
import { showToastAfterReload } from '@/lib/reload';

export default function OwnProfileScreen() {
  const { user, profile } = useSignedIn();
  const email = user.email ?? '';
  const [isEditing, setEditing] = useState(false);
  useEffect(showToastAfterReload, []);
  const kind = profile.user_type === 'agent' ? 'agent' : 'importer';
  return (
    <div className="max-w-[62rem]">
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <PageHeading>{copy.title}</PageHeading>
          <p className="mt-1 text-muted-foreground">{copy.subtitle[kind]}</p>
        </div>
        {!isEditing && (
          <div className="flex w-full flex-wrap gap-3 sm:w-auto">
            <Button variant="outline" asChild className="flex-1 sm:flex-none">
              <Link to={paths[kind].publicProfile(profile.user_id)}>
                <Eye aria-hidden />
                {copy.publicView}
              </Link>
            </Button>
            <Button writes onClick={() => setEditing(true)} className="flex-1 sm:flex-none">
              <PenLine aria-hidden />
              {copy.edit}
            </Button>
          </div>
        )}
      </header>
      {isSuspended(profile) && <p className="mb-6 text-muted-foreground">{standing.frozen.profile}</p>}
      {isEditing && !isSuspended(profile) ? (
        <ProfileForm profile={profile} email={email} onCancel={() => setEditing(false)} />
      ) : (
        <ProfileView profile={profile} email={email} />
      )}
    </div>
  );
}
