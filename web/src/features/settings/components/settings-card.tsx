import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { CardContent, CardHeader, CardTitle, FormCard } from '@/components/ui/card';

interface SettingsCardProps {
  /** The part of the address behind # that leads here. */
  anchor?: string;
  title: string;
  children: ReactNode;
}

export function SettingsCard({ anchor, title, children }: SettingsCardProps) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (anchor && hash === `#${anchor}`) card.current?.scrollIntoView({ block: 'start' });
  }, [anchor, hash]);
  return (
    <FormCard ref={card} id={anchor} aria-labelledby={id} className="scroll-mt-20">
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </FormCard>
  );
}
