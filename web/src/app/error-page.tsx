/** A screen that broke: never a blank page. A chunk that is gone after a new release is fetched by a reload. */
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { app, crash } from '@/copy/app';

export function ErrorPage() {
  return (
    <main className="container-page py-20">
      <h1 className="text-h1">{crash.title}</h1>
      <p className="mt-3 max-w-[60ch] text-muted-foreground">{crash.text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={() => window.location.reload()}>{app.tryAgain}</Button>
        <Button variant="outline" asChild>
          <a href={paths.home}>{crash.home}</a>
        </Button>
      </div>
    </main>
  );
}
