/** The frame of both onboarding pages: the steps and what is checked beside the form, above it on a phone. */
import type { ReactNode } from 'react';
import { HomeLink } from '@/components/home-link';
import { PageHeading } from '@/components/page-heading';
import { ThemeSwitch } from '@/components/theme-switch';
import { onboarding } from '@/copy/onboarding';

interface OnboardingPageProps {
  title: string;
  lead: string;
  steps: readonly { id: string; label: string }[];
  children: ReactNode;
}

export function OnboardingPage({ title, lead, steps, children }: OnboardingPageProps) {
  return (
    <div className="container-page">
      <header className="flex h-16 items-center justify-between">
        <HomeLink />
        <ThemeSwitch />
      </header>
      <main className="grid gap-x-12 gap-y-8 pt-4 pb-12 lg:grid-cols-[minmax(0,45rem)_minmax(0,1fr)] lg:pt-8">
        <div className="lg:col-span-2">
          <PageHeading>{title}</PageHeading>
          <p className="mt-2 max-w-[68ch] text-pretty text-muted-foreground">{lead}</p>
        </div>
        <div className="min-w-0">{children}</div>
        <aside className="space-y-8 self-start lg:sticky lg:top-8">
          <StepRail steps={steps} />
          <Checked withFee={steps.length > 2} />
        </aside>
      </main>
    </div>
  );
}

/** On a phone the sections' own headings are the steps. */
function StepRail({ steps }: Pick<OnboardingPageProps, 'steps'>) {
  return (
    <nav aria-label={onboarding.steps.label} className="hidden lg:block">
      <ol className="border-l">
        {steps.map(({ id, label }, index) => (
          <li key={id} className="relative pl-6">
            <span
              aria-hidden
              className="absolute top-2 -left-3 grid size-6 place-items-center border border-input bg-card text-small figures"
            >
              {index + 1}
            </span>
            <a
              href={`#${id}`}
              className="flex min-h-10 items-center font-semibold underline-offset-4 hover:underline"
            >
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Checked({ withFee }: { withFee: boolean }) {
  const { title, items, review } = onboarding.checked;
  return (
    <section aria-labelledby="what-is-checked">
      <h2 id="what-is-checked" className="text-label text-muted-foreground">
        {title}
      </h2>
      <ul className="mt-3 divide-y border-y">
        {(withFee ? items : items.slice(0, 2)).map((item) => (
          <li key={item} className="py-3">
            {item}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-small text-muted-foreground">{review}</p>
    </section>
  );
}
