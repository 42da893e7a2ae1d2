/** The frame of both screens: the name of the site, what this is, and beside the form what is checked. */
import type { ReactNode } from 'react';
import { HomeLink } from '@/components/brand';
import { PageHeading } from '@/components/page-heading';
import { ThemeSwitch } from '@/components/theme-switch';
import { onboarding } from '@/copy/onboarding';

interface OnboardingPageProps {
  title: string;
  lead: string;
  children: ReactNode;
}

export function OnboardingPage({ title, lead, children }: OnboardingPageProps) {
  return (
    <div className="container-page">
      <header className="flex h-16 items-center justify-between">
        <HomeLink />
        <ThemeSwitch />
      </header>
      <main className="pt-4 pb-12 lg:pt-8">
        <PageHeading>{title}</PageHeading>
        <p className="mt-2 mb-8 max-w-[68ch] text-pretty text-muted-foreground">{lead}</p>
        {children}
      </main>
    </div>
  );
}

/** The form, and what is checked: beside it, on a phone before it. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,45rem)_minmax(0,1fr)]">
      <aside className="space-y-8 self-start lg:sticky lg:top-8 lg:col-start-2 lg:row-start-1">{aside}</aside>
      <div className="min-w-0 lg:col-start-1 lg:row-start-1">{children}</div>
    </div>
  );
}

export function Checked({ withFee }: { withFee: boolean }) {
  const { title, items, review } = onboarding.checked;
  return (
    <section aria-labelledby="what-is-checked">
      <h2 id="what-is-checked" className="text-label text-muted-foreground">
        {title}
      </h2>
      <ul className="mt-3 divide-y border-y">
        {(withFee ? items : items.slice(0, 2)).map((item) => (
          <li key={item} className="py-2 lg:py-3">
            {item}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-small text-muted-foreground">{review}</p>
    </section>
  );
}
