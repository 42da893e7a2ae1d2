/** The whole page broke: never a blank one. */
import { BarePage } from '@/components/bare-page';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { app, crash } from '@/copy/app';

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
