import { HomeLink } from '@/components/brand';
import { PageHeading } from '@/components/page-heading';
import { ThemeSwitch } from '@/components/theme-switch';
import { terms } from '@/copy/terms';

export default function TermsScreen() {
  return (
    <div className="mx-auto max-w-3xl px-4 sm:px-6">
      <header className="flex h-16 items-center justify-between gap-4">
        <HomeLink />
        <ThemeSwitch />
      </header>
      <main className="pt-8 pb-16 sm:pt-12">
        <PageHeading>{terms.title}</PageHeading>
        <p className="mt-3 text-lg text-muted-foreground">{terms.intro}</p>
        <dl className="mt-8 divide-y rounded-card border bg-card">
          {terms.items.map(([title, text]) => (
            <div key={title} className="grid gap-1 p-4 sm:grid-cols-[12rem_1fr] sm:gap-6 sm:p-5">
              <dt className="leading-6 text-label text-muted-foreground">{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </main>
    </div>
  );
}
