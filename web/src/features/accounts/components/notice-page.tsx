/** A short page that stands alone: one message on a sheet, and where to go from it. */
import type { ReactNode } from 'react';
import { HomeLink } from '@/components/home-link';

export function NoticePage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pb-16">
      <header className="flex h-16 w-full max-w-xl items-center">
        <HomeLink />
      </header>
      <main className="mt-4 w-full max-w-xl rounded-card border bg-card p-6 sm:mt-[8vh] sm:p-10">
        {children}
      </main>
    </div>
  );
}
