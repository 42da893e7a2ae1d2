/** A read that failed shows its documented toast once, besides the panel in place of the list. */
import { useEffect } from 'react';
import { toastError } from '@/lib/toast';

export function useErrorToast(error: Error | null, title: string, text: string): void {
  const hasFailed = error !== null;
  useEffect(() => {
    if (hasFailed) toastError(title, text);
  }, [hasFailed, title, text]);
}
