/** The frame of a signed-in area: a sidebar from 1024 px on, a drawer below, the account in the top bar. */
import type { ReactNode } from 'react';
import { HomeLink } from '../brand';
import { MAIN_ID, SkipLink } from '../skip-link';
import { AccountMenu, type AccountSummary } from './account-menu';
import { ConnectionBanner } from './connection-banner';
import { Drawer } from './drawer';
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
