/** What pages about an account are made of. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HomeLink } from '@/components/brand';
import { ThemeSwitch } from '@/components/theme-switch';

/** A short page that stands alone: one message on a sheet, and where to go from it. */
export function NoticePage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4">
      <header className="flex h-16 w-full max-w-xl items-center justify-between gap-4">
        <HomeLink />
        <ThemeSwitch />
      </header>
      {/* A little above the middle, where the eye looks for it; a long sheet simply begins below the header. */}
      <div className="flex w-full max-w-xl flex-1 flex-col justify-center py-4 sm:pb-[12vh]">
        <main className="w-full rounded-card border bg-card p-6 sm:p-10">{children}</main>
      </div>
    </div>
  );
}

/** A question and the link that answers it, below a form. */
export function LinkLine({ question, to, children }: { question: string; to: string; children: ReactNode }) {
  return (
    <p className="text-muted-foreground">
      {question}{' '}
      <Link
        to={to}
        className="touch-target font-semibold text-primary underline underline-offset-4 hover:decoration-2"
      >
        {children}
      </Link>
    </p>
  );
}
