/** What long forms are made of. */
import { useId, type ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { TextCounter } from '../text-counter';
import { Card, CardContent, CardHeader, CardTitle } from '../ui/card';

interface FormSectionProps {
  /** Where a step rail leads, if there is one. */
  id?: string;
  title: string;
  children: ReactNode;
}

/** A ruled part: its title, its fields in two columns. */
export function FormSection({ id, title, children }: FormSectionProps) {
  const titleId = useId();
  return (
    <Card id={id} aria-labelledby={titleId} className="scroll-mt-4">
      <CardHeader>
        <CardTitle id={titleId}>{title}</CardTitle>
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-5 sm:grid-cols-2">{children}</CardContent>
    </Card>
  );
}

/** How much of a limited field is used: always in sight. */
export function CharacterCounter({ name, limit }: { name: string; limit: number }) {
  const { control } = useFormContext<Record<string, string>>();
  const length = useWatch({ control, name }).trim().length;
  return <TextCounter length={length} limit={limit} />;
}
