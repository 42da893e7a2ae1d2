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
      <dl className="grid gap-2">
        {LINES.map(([runner, line]) => (
          <div key={runner}>
            <dt className="text-muted-foreground">{runner}</dt>
            <dd className="flex items-center gap-2">
              <code className="code min-w-0 flex-1 rounded-control bg-muted px-2 py-1 break-words">
                {line}
              </code>
              <Copy name={`Copy the line for ${runner}`} text={line} />
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
