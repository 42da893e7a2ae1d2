import { Menu } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HomeLink } from '@/components/brand';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { landing } from '@/copy/landing';
import { anchors, type Visitor } from '../header';

const MobileMenu = lazy(() => import('./mobile-menu'));

interface LandingHeaderProps {
  visitor: Visitor | null;
  onGetStarted: () => void;
  onSignOut: () => void;
}

export function LandingHeader({ visitor, onGetStarted, onSignOut }: LandingHeaderProps) {
  const actions = visitor ? (
    <VisitorActions visitor={visitor} onSignOut={onSignOut} />
  ) : (
    <GuestActions onGetStarted={onGetStarted} />
  );
  return (
    <header className="fixed inset-x-0 top-0 z-30 border-b bg-background">
      <div className="container-page flex h-16 items-center justify-between gap-6">
        <HomeLink />
        <nav aria-label={landing.nav.label} className="hidden gap-1 lg:flex">
          {anchors.map(([href, text]) => (
            <Button key={href} variant="ghost" size="small" asChild>
              <a href={href}>{text}</a>
            </Button>
          ))}
        </nav>
        <div className="hidden items-center gap-2 lg:flex">{actions}</div>
        <MenuButton>{actions}</MenuButton>
      </div>
    </header>
  );
}

function GuestActions({ onGetStarted }: { onGetStarted: () => void }) {
  return (
    <>
      <Button variant="ghost" asChild>
        <Link to={paths.auth}>{landing.header.signIn}</Link>
      </Button>
      <Button asChild>
        <Link to={paths.auth} onClick={onGetStarted}>
          {landing.header.getStarted}
        </Link>
      </Button>
    </>
  );
}

function VisitorActions({ visitor, onSignOut }: { visitor: Visitor; onSignOut: () => void }) {
  return (
    <>
      <span className="max-w-60 truncate px-2">
        {landing.header.welcome}
        <strong className="font-semibold">{visitor.name}</strong>
      </span>
      {visitor.dashboard && (
        <Button variant="secondary" asChild>
          <Link to={visitor.dashboard.to}>{visitor.dashboard.label}</Link>
        </Button>
      )}
      <Button variant="outline" onClick={onSignOut}>
        {app.signOut}
      </Button>
    </>
  );
}

/** The menu's own code is fetched when it is first opened. */
function MenuButton({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="lg:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label={landing.nav.menu}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu aria-hidden />
      </Button>
      {open && (
        <Suspense>
          <MobileMenu onClose={() => setOpen(false)}>{children}</MobileMenu>
        </Suspense>
      )}
    </div>
  );
}
