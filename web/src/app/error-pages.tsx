/** What stands where a page cannot: never a blank one. */
import type { ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { Brand } from '@/components/brand';
import { ErrorBoundary } from '@/components/error-boundary';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { app, crash, missingConfiguration } from '@/copy/app';
import { useNavigate } from '@/lib/navigation/use-navigate';

/** The frame of a page that can count on nothing: no session, and maybe no router. */
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

/** The whole page broke. */
export function ErrorPage() {
  return (
    <BarePage>
      <h1 className="text-h1">{crash.title}</h1>
      <p role="alert" className="mt-3 max-w-[60ch] text-muted-foreground">
        {crash.text}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={() => window.location.reload()}>{app.tryAgain}</Button>
        <Button variant="outline" asChild>
          <a href={paths.home}>{crash.home}</a>
        </Button>
      </div>
    </BarePage>
  );
}

/** A screen that broke inside its area: the menu stays, and the screen can be tried again. */
export function ScreenError() {
  const location = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <PageHeading>{crash.title}</PageHeading>
      <p role="alert" className="mt-2 max-w-[60ch] text-muted-foreground">
        {crash.inArea}
      </p>
      <Button className="mt-5" onClick={() => navigate(location, { replace: true })}>
        {app.tryAgain}
      </Button>
    </>
  );
}

export function MissingConfiguration({ names }: { names: string[] }) {
  return (
    <main className="container-page py-16">
      <h1 className="text-h1">{missingConfiguration.title}</h1>
      <p className="mt-4">{missingConfiguration.text}</p>
      <ul className="mt-2 list-disc pl-6">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </main>
  );
}

/** Around every page: one that breaks leaves no blank one. */
export function Root() {
  const { key } = useLocation();
  return (
    <ErrorBoundary resetKey={key} fallback={() => <ErrorPage />}>
      <Outlet />
    </ErrorBoundary>
  );
}
