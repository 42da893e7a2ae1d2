/** Nothing here yet: an empty form, what is missing, and one thing to do about it. */
import type { ReactNode } from 'react';
import { cn } from '@/lib/class-names';

interface EmptyStateProps {
  title: string;
  text: string;
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ title, text, action, className }: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-center px-4 py-12 text-center', className)}>
      <EmptyForm />
      <h2 className="mt-5 text-h3">{title}</h2>
      <p className="mt-1 max-w-sm text-balance text-muted-foreground">{text}</p>
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

function EmptyForm() {
  return (
    <svg
      viewBox="0 0 96 72"
      aria-hidden
      className="h-18 w-24 text-input"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path className="fill-card" d="M8 4h68l12 12v52H8z" />
      <path d="M76 4v12h12M8 26h80M8 40h80M8 54h80M36 26v42M62 26v28" />
    </svg>
  );
}
