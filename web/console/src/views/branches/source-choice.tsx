/** What a branch begins as. One that others are connected to is cloned only when they may be cut off. */
import { ApiError } from '../../dev/api';
import { Choice, Tick } from '../../parts/fields';
import { Refused } from '../../parts/refused';
import { sourcesOf, sourceText, type BranchRow, type Snapshot } from './branches';

interface SourceChoiceProps {
  name: string;
  value: string;
  onChange: (source: string) => void;
  rows: readonly BranchRow[];
  snapshots: readonly Snapshot[];
  /** The branch itself, which begins as another. */
  without?: string;
  error: Error | null;
  force: boolean;
  onForce: (force: boolean) => void;
}

export function SourceChoice({
  rows,
  snapshots,
  without,
  error,
  force,
  onForce,
  ...choice
}: SourceChoiceProps) {
  return (
    <>
      <Choice {...choice}>
        {sourcesOf(rows, snapshots, choice.value, without).map((source) => (
          <option key={source} value={source}>
            {sourceText(source)}
          </option>
        ))}
      </Choice>
      {isBusy(error) && (
        <>
          <Refused error={error} />
          <Tick name="End their sessions" value={force} onChange={onForce} />
        </>
      )}
    </>
  );
}

export function isBusy(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'source_busy';
}
