/** The one h1 of a screen. After a change of route it takes the focus, and the document carries its title. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { env } from '@/config/env';
import { cn } from '@/lib/class-names';

interface PageHeadingProps {
  /** What the browser's tab says, when the heading itself is longer or changes. */
  title?: string;
  className?: string;
  children: string;
}

/** React Router calls the entry a page was loaded with by this key. */
const FIRST_ENTRY = 'default';

export function PageHeading({ title, className, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstPage = useLocation().key === FIRST_ENTRY;
  const isFirstPageOnMount = useRef(isFirstPage);
  useEffect(() => {
    if (!isFirstPageOnMount.current) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <title>{`${title ?? children} · ${env.appName}`}</title>
      <h1 ref={heading} dir="auto" tabIndex={-1} className={cn('text-h1 text-balance', className)}>
        {children}
      </h1>
    </>
  );
}
