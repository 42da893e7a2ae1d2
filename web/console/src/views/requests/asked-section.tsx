import type { WholeData } from '../../dev/types';
import { Facts, Section } from '../../parts/section';
import { takenApart } from './asked';
import { Text } from './text';

export function AskedSection({ data }: { data: WholeData }) {
  const asked = takenApart(data.query);
  const told = [
    ['Select', asked.select],
    ...asked.filters.map(([name, value]) => [name, value] as const),
    ['Order', asked.order],
    ['Rows', asked.limits],
    ...asked.others,
    ['Prefer', data.prefer],
  ] as const;
  const facts = told.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return (
    <Section title="Asked">
      {facts.length > 0 && <Facts facts={facts} />}
      {data.request ? (
        <Text body={data.request} label="Body of the request" />
      ) : (
        facts.length === 0 && <p className="text-muted-foreground">No parameters, no body.</p>
      )}
    </Section>
  );
}
