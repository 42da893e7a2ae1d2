import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAIN, ROOT } from '../../dev/api';
import { clockQuery, faultsQuery } from '../../dev/queries';
import { Button } from '../../parts/button';
import { Refusal, Waiting } from '../../parts/notice';
import { Facts, Section } from '../../parts/section';
import { BackToAll, Open } from './branch-page';
import { ClockOf } from './clock-of';
import { FaultsOf } from './faults-of';
import { SaveSnapshot } from './save-snapshot';

/** The server's own backend, which is always there. */
export function MainPage() {
  const [isOpen, setIsOpen] = useState(false);
  const { data: clock, error } = useQuery(clockQuery(MAIN));
  const { data: faults = [] } = useQuery(faultsQuery(MAIN));
  return (
    <>
      <BackToAll />
      <header className="grid gap-2 px-4 py-3">
        <h2 className="code text-h3">{MAIN}</h2>
        <div className="flex flex-wrap gap-2">
          <Open id={MAIN} />
          <Button onClick={() => setIsOpen(true)}>Snapshot …</Button>
        </div>
      </header>
      <Section title="What it is">
        <Facts facts={[['Address', location.origin + ROOT]]} />
      </Section>
      {clock ? <ClockOf branch={MAIN} clock={clock} /> : error ? <Refusal error={error} /> : <Waiting />}
      <FaultsOf branch={MAIN} count={faults.length} />
      {isOpen && <SaveSnapshot of={MAIN} onClose={() => setIsOpen(false)} />}
    </>
  );
}
