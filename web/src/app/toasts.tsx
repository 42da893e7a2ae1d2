/**
 * The place where toasts show. It comes when the browser rests, or when something is said; where it did not come, with
 * the next thing that is said or when the line is back.
 */
import { useEffect, type ComponentType } from 'react';
import { fetchAhead } from '@/hooks/use-idle';
import { useLate } from '@/hooks/use-late';
import { late, type Late } from '@/lib/late';
import { areToastsAsked, onToastsAsked } from '@/lib/toast';

interface ToasterModule {
  Toaster: ComponentType;
}

const toaster = late<ToasterModule>(() => import('@/components/ui/toaster'));

export function Toasts({ part = toaster }: { part?: Late<ToasterModule> }) {
  const module = useLate(part);
  useEffect(() => {
    const load = () => fetchAhead(part.load);
    if (areToastsAsked()) load();
    return onToastsAsked(load);
  }, [part]);
  return module && <module.Toaster />;
}
