import { Copy } from '../../parts/copy';
import { Notice } from '../../parts/notice';

const LINES = [
  ['vitest', "import { expect, test } from 'minato-test/vitest';"],
  ['Playwright', "import { expect, test } from 'minato-test/playwright';"],
  ['pytest', 'def test_one(branch): ...'],
] as const;

export function NoBranches() {
  return (
    <Notice title="No branches">
      <p>
        A branch is a whole backend of its own: database, users, files, mail, clock. Tests make one each, and
        drop it at their end:
      </p>
      <dl className="grid gap-3">
        {LINES.map(([runner, line]) => (
          <div key={runner}>
            <dt className="mb-1 flex items-center justify-between gap-2 text-muted-foreground">
              {runner}
              <Copy name={`Copy for ${runner}`} text={line} />
            </dt>
            <dd className="code rounded-control bg-muted px-3 py-2 break-words">{line}</dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
