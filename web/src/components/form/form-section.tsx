/** A ruled part of a form: its title, its fields in two columns. */
import { useId, type ReactNode } from 'react';
import { Card, CardContent, CardHeader, CardTitle } from '../ui/card';

interface FormSectionProps {
  /** Where a step rail leads, if there is one. */
  id?: string;
  title: string;
  children: ReactNode;
}

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
