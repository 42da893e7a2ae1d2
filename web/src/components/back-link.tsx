/** One level up, above the heading of a page. */
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from './ui/button';

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button variant="ghost" asChild className="mb-3 -ml-3 px-2">
      <Link to={to}>
        <ArrowLeft aria-hidden />
        {children}
      </Link>
    </Button>
  );
}
