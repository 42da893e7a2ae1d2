/** A link that leaves this tab alone, and says so. */
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { app } from '@/copy/app';

interface NewTabLinkProps extends Omit<LinkProps, 'to' | 'target' | 'rel'> {
  to: string;
  icon?: boolean;
  children: ReactNode;
}

export function NewTabLink({ to, className, icon = true, children, ...props }: NewTabLinkProps) {
  return (
    <Link to={to} target="_blank" rel="noopener" className={className} {...props}>
      {children}
      {icon && <ExternalLink aria-hidden className="inline-block size-3.5" />}
      <span className="sr-only"> ({app.newTab})</span>
    </Link>
  );
}
