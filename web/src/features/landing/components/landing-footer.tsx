import { Brand } from '@/components/brand';
import { ThemeSwitch } from '@/components/theme-switch';
import { env } from '@/config/env';
import { landing } from '@/copy/landing';

const { footer } = landing;

/** The three legal entries have no target yet, so they are text and not links. */
export function LandingFooter() {
  return (
    <footer className="mt-8 border-t bg-card">
      <div className="container-page grid gap-8 py-10 sm:grid-cols-2 lg:grid-cols-[1fr_auto_auto_auto] lg:gap-16">
        <div className="flex flex-col items-start gap-4">
          <Brand />
          <ThemeSwitch />
        </div>
        <Entry label={footer.support}>
          <a href={`mailto:${env.supportEmail}`} className="underline underline-offset-4 hover:decoration-2">
            {env.supportEmail}
          </a>
        </Entry>
        <Entry label={footer.location}>{footer.place}</Entry>
        <ul className="space-y-1 text-muted-foreground">
          {footer.legal.map((entry) => (
            <li key={entry}>{entry}</li>
          ))}
        </ul>
      </div>
      <div className="container-page">
        <p className="border-t py-4 text-small text-muted-foreground">{footer.copyright}</p>
      </div>
    </footer>
  );
}

function Entry({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="leading-6 text-label text-muted-foreground">{label}</p>
      <p>{children}</p>
    </div>
  );
}
