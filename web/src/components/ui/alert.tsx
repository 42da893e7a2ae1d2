import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/class-names';
import { Sentence } from './sentence';

interface AlertProps {
  tone?: 'destructive' | 'info';
  title?: string | undefined;
  text: string;
  action?: ReactNode;
}

/** A message inside the page; a destructive one is announced at once. */
export function Alert({ tone = 'destructive', title, text, action }: AlertProps) {
  const Icon = tone === 'destructive' ? CircleAlert : Info;
  return (
    <div
      role={tone === 'destructive' ? 'alert' : 'status'}
      className={cn(
        'flex items-start gap-3 rounded-control border border-l-4 bg-card px-4 py-3',
        tone === 'destructive' ? 'border-l-destructive' : 'border-l-primary',
      )}
    >
      <Icon aria-hidden className={cn('mt-1 size-4', tone === 'destructive' && 'text-destructive')} />
      <div className="min-w-0 flex-1">
        <Sentence title={title} text={text} />
        {action}
      </div>
    </div>
  );
}
