/** The mark (a hull on a lot tag) and the product's name. */
import { Link } from 'react-router-dom';
import { env } from '@/config/env';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { cn } from '@/lib/class-names';

export function Brand({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2.5', className)}>
      <svg viewBox="0 0 32 32" aria-hidden className="size-7">
        <path className="fill-primary" d="M4 0h19l9 9v19a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" />
        <path
          className="stroke-primary-foreground"
          fill="none"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
          d="M7 17.500h18l-2.500 5.500h-13zM11 17.500v-6.500h6l4 6.500M5.500 27h21"
        />
      </svg>
      <span className="font-heading text-xl font-[680] tracking-tight [font-stretch:108%]">
        {env.appName}
      </span>
    </span>
  );
}

/** The product's name, which leads to the start page and says so. */
export function HomeLink({ className }: { className?: string }) {
  return (
    <Link to={paths.home} className={cn('flex min-h-11 items-center rounded-control', className)}>
      <Brand />
      <span className="sr-only">: {navigation.home}</span>
    </Link>
  );
}
