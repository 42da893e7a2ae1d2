import { Menu } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HomeLink } from '@/components/brand';
import { Button } from '@/components/ui/button';
import { Opener } from '@/components/ui/opener';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { landing } from '@/copy/landing';
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';
import { anchors, type Visitor } from '../header';

const mobileMenu = late(() => import('./mobile-menu'));

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

/** The menu's own code comes when the browser rests, or when it is first opened. */
function MenuButton({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const module = useLateOpening(mobileMenu, isOpen, close);
  return (
    <div className="lg:hidden">
      <Opener opens="dialog" isOpen={isOpen} isComing={isOpen && !module} onPress={() => setOpen(true)}>
        <Button variant="ghost" size="icon" aria-label={landing.nav.menu}>
          <Menu aria-hidden />
        </Button>
      </Opener>
      {isOpen && module && <module.MobileMenu onClose={close}>{children}</module.MobileMenu>}
    </div>
  );
}
