import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { MAIN } from '../dev/api';
import { branchesQuery } from '../dev/queries';
import { searchOf, useBranch } from '../dev/use-branch';

/** The same view of another branch. One that is gone stays in the list for as long as it is looked at. */
export function BranchChoice() {
  const branch = useBranch();
  const navigate = useNavigate();
  const { data: branches = [] } = useQuery({ ...branchesQuery, refetchInterval: 10_000 });
  const known = [MAIN, ...branches.map(({ id }) => id)];
  const ids = known.includes(branch) ? known : [...known, branch];
  const labels = new Map(branches.map(({ id, label }) => [id, label]));
  return (
    <label className="flex min-w-0 items-center gap-1.5 text-[0.8125rem] text-muted-foreground">
      Branch
      <select
        value={branch}
        onChange={(event) => void navigate({ search: searchOf(event.target.value) })}
        className="min-h-7 max-w-56 min-w-0 rounded-control border border-input bg-card px-1.5 text-foreground"
      >
        {ids.map((id) => (
          <option key={id} value={id}>
            {labels.get(id) ? `${id} · ${labels.get(id) ?? ''}` : id}
          </option>
        ))}
      </select>
    </label>
  );
}
