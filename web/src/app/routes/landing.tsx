import { Navigate } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { MAIN_ID, SkipLink } from '@/components/skip-link';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { env } from '@/config/env';
import { dashboardPath } from '@/config/paths';
import { app } from '@/copy/app';
import { landing } from '@/copy/landing';
import { Closing } from '@/features/landing/components/closing';
import { Figures, Hero } from '@/features/landing/components/hero';
import { LandingFooter } from '@/features/landing/components/landing-footer';
import { LandingHeader } from '@/features/landing/components/landing-header';
import { GlobalReach, HowItWorks, WhyChoose } from '@/features/landing/components/sections';
import { TwoSides } from '@/features/landing/components/two-sides';
import { describeVisitor, type Visitor } from '@/features/landing/header';
import { isAdmin } from '@/lib/auth/administrator';
import { useAuth, type Auth } from '@/lib/auth/auth-context';
import { isDemoKey, removeKeys } from '@/lib/auth/storage-keys';

const forgetDemo = () => removeKeys(isDemoKey);

export default function LandingScreen() {
  const auth = useAuth();
  if (auth.loading) return <LoadingScreen text={app.landingLoading} />;
  const dashboard = dashboardPath(auth.profile?.user_type);
  if (dashboard) return <Navigate to={dashboard} replace />;
  return (
    <>
      <title>{`${env.appName} · ${landing.hero.headline} ${landing.hero.words[0]}`}</title>
      <SkipLink />
      <LandingHeader
        visitor={visitorOf(auth)}
        onGetStarted={forgetDemo}
        onSignOut={() => void auth.signOut()}
      />
      <main id={MAIN_ID} tabIndex={-1} className="focus:outline-none">
        {auth.user && !auth.profile && <ProfileWaiting auth={auth} />}
        <Hero />
        <Figures />
        <HowItWorks />
        <GlobalReach />
        <TwoSides />
        <WhyChoose />
        <Closing onGetStarted={forgetDemo} />
      </main>
      <LandingFooter />
    </>
  );
}

function visitorOf({ user, profile }: Auth): Visitor | null {
  if (!user) return null;
  return describeVisitor({
    email: user.email,
    fullName: profile?.full_name,
    userType: profile?.user_type,
    isAdmin: isAdmin(user.email, env.adminEmail),
  });
}

/** Signed in, but without a profile: nothing to redirect to, so the person waits and can try again. */
function ProfileWaiting({ auth }: { auth: Auth }) {
  if (isAdmin(auth.user?.email, env.adminEmail)) return null;
  return (
    <div className="container-page pt-20">
      <Alert
        tone="info"
        title={landing.profileWaiting.title}
        text={landing.profileWaiting.text}
        action={
          <div className="mt-3 flex gap-3">
            <Button size="small" onClick={auth.reloadProfile}>
              {landing.profileWaiting.retry}
            </Button>
            <Button size="small" variant="outline" onClick={() => void auth.signOut()}>
              {app.signOut}
            </Button>
          </div>
        }
      />
    </div>
  );
}
