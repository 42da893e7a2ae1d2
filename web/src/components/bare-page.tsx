/** The frame of a page that can count on nothing: no session, and maybe no router. */
import type { ReactNode } from 'react';
import { paths } from '@/config/paths';
import { Brand } from './brand';

export function BarePage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pb-16">
      <header className="flex h-16 w-full max-w-xl items-center">
        <a href={paths.home} className="flex min-h-11 items-center rounded-control">
          <Brand />
        </a>
      </header>
      <main className="my-auto w-full max-w-xl rounded-card border bg-card p-6 sm:p-10">{children}</main>
    </div>
  );
}
