import type { RequestData } from '../../dev/types';
import { Facts, Section } from '../../parts/section';

export function CallerSection({ data: { caller } }: { data: RequestData }) {
  const told = [
    ['Role', caller?.role],
    ['Email', caller?.email],
    ['User', caller?.sub],
    ['Assurance', caller?.aal],
  ] as const;
  const facts = told.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return (
    <Section title="Caller">
      {facts.length > 0 ? (
        <Facts facts={facts} />
      ) : (
        <p className="text-muted-foreground">Nobody: the room did not ask who it is.</p>
      )}
    </Section>
  );
}
