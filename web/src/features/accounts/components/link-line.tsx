import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** A question and the link that answers it, below a form. */
export function LinkLine({ question, to, children }: { question: string; to: string; children: ReactNode }) {
  return (
    <p className="text-muted-foreground">
      {question}{' '}
      <Link
        to={to}
        className="touch-target font-semibold text-primary underline underline-offset-4 hover:decoration-2"
      >
        {children}
      </Link>
    </p>
  );
}
