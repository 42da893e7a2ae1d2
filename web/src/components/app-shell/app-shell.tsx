/** The frame of a signed-in area: a sidebar from 1024 px on, a drawer below, the account in the top bar. */
import { Menu } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { navigation } from '@/copy/navigation';
import { Brand } from '../brand';
import { HomeLink } from '../home-link';
import { MAIN_ID, SkipLink } from '../skip-link';
import { Button } from '../ui/button';
import { Sheet, SheetContent, SheetTrigger } from '../ui/sheet';
import { AccountMenu, type AccountSummary } from './account-menu';
import { ConnectionBanner } from './connection-banner';
import { SideNavigation, type NavigationEntry } from './side-navigation';
import { Trail } from './trail';

interface AppShellProps {
  label: string;
  entries: readonly NavigationEntry[];
  account: AccountSummary;
  onSignOut: () => void;
  children: ReactNode;
}

export function AppShell({ label, entries, account, onSignOut, children }: AppShellProps) {
  const nav = <SideNavigation label={label} entries={entries} onSignOut={onSignOut} />;
  return (
    <div className="min-h-dvh lg:pl-62">
      <SkipLink />
      <aside className="fixed inset-y-0 left-0 hidden w-62 flex-col overflow-y-auto border-r bg-card lg:flex">
        <div className="flex h-14 shrink-0 items-center border-b px-5">
          <HomeLink />
        </div>
        {nav}
      </aside>
      <header className="sticky top-0 z-20 flex h-14 items-center justify-between gap-2 border-b bg-card px-2 sm:px-4 lg:px-8">
        <div className="flex items-center gap-1 lg:hidden">
          <Drawer label={label} waiting={entries.find((entry) => entry.waiting?.count)?.waiting}>
            {nav}
          </Drawer>
          <HomeLink />
        </div>
        <Trail label={label} entries={entries} />
        <AccountMenu account={account} onSignOut={onSignOut} />
        <ConnectionBanner />
      </header>
      <main
        id={MAIN_ID}
        tabIndex={-1}
        className="mx-auto max-w-[78rem] px-4 pt-8 pb-6 focus:outline-none sm:px-6 lg:px-8 lg:py-8"
      >
        {children}
      </main>
    </div>
  );
}

interface DrawerProps {
  label: string;
  /** Shows on the button that opens the drawer, which hides the entry. */
  waiting: NavigationEntry['waiting'];
  children: ReactNode;
}

/** Any press inside that follows a link closes the drawer again. */
function Drawer({ label, waiting, children }: DrawerProps) {
  const [open, setOpen] = useState(false);
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label={waiting ? `${navigation.open}, ${waiting.count} ${waiting.label}` : navigation.open}
          className="relative"
        >
          <Menu aria-hidden />
          {waiting && <span aria-hidden className="absolute top-2 right-2 size-2.5 rounded-full bg-accent" />}
        </Button>
      </SheetTrigger>
      <SheetContent title={label} closeLabel={navigation.close} startsAtClose>
        <div className="flex h-14 shrink-0 items-center border-b px-5">
          <Brand />
        </div>
        <div
          className="flex flex-1 flex-col"
          onClick={(event) => closesDrawer(event.target) && setOpen(false)}
        >
          {children}
        </div>
      </SheetContent>
    </Sheet>
  );
}

function closesDrawer(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null;
}
