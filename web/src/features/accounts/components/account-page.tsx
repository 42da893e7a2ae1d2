/** The frame of sign-up and sign-in: the form, and beside it what stands behind a deal. */
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { HomeLink } from '@/components/brand';
import { PageHeading } from '@/components/page-heading';
import { ThemeSwitch } from '@/components/theme-switch';
import { checkedFacts } from '@/copy/auth';
import { useWhenIdle } from '@/hooks/use-idle';
import { loadClient } from '@/lib/auth/load-client';
import { cn } from '@/lib/class-names';

interface AccountPageProps {
  title: string;
  lead?: string;
  children: ReactNode;
}

/** Logo, form and facts keep to one width, so that each side has one left edge. */
const column = 'mx-auto w-full max-w-[27.5rem]';

/** What sends the form comes after the form. */
export function AccountPage({ title, lead, children }: AccountPageProps) {
  useWhenIdle(loadClient);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]">
      <div className="flex flex-col px-4 sm:px-8">
        <header className={cn('flex h-16 items-center', column)}>
          <HomeLink />
        </header>
        <main className={cn('flex-1 pt-6 pb-16 sm:pt-12 lg:pt-[12vh]', column)}>
          <PageHeading>{title}</PageHeading>
          {lead && <p className="mt-2 text-pretty text-muted-foreground">{lead}</p>}
          <div className="mt-8">{children}</div>
        </main>
      </div>
      <CheckedFacts />
    </div>
  );
}

function CheckedFacts() {
  return (
    <aside
      aria-labelledby="checked-facts"
      className="flex flex-col justify-between gap-10 border-t bg-card px-4 py-10 sm:px-8 lg:border-t-0 lg:border-l lg:px-10 lg:pt-[calc(4rem+12vh)] lg:pb-6"
    >
      <div className={column}>
        <h2 id="checked-facts" className="text-label text-muted-foreground">
          {checkedFacts.title}
        </h2>
        <ul className="mt-4 divide-y border-y">
          {checkedFacts.items.map(([title, text]) => (
            <li key={title} className="grid grid-cols-[1.5rem_1fr] gap-3 py-5">
              <span aria-hidden className="mt-0.5 grid size-6 place-items-center border border-input">
                <Check className="size-4" strokeWidth={2.5} />
              </span>
              <div>
                <h3 className="font-semibold">{title}</h3>
                <p className="mt-0.5 text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
      <div className={column}>
        <ThemeSwitch />
      </div>
    </aside>
  );
}
