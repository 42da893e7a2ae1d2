/** What stands where there is nothing to show: nothing yet, not any more, or a refusal. */
import type { ReactNode } from 'react';
import { ApiError } from '../dev/api';

export function Notice({ title, children, tone }: { title: string; children?: ReactNode; tone?: 'danger' }) {
  return (
    <div className="mx-auto grid max-w-xl gap-2 px-4 py-10" role={tone === 'danger' ? 'alert' : undefined}>
      <h2 className={tone === 'danger' ? 'text-destructive text-h3' : 'text-h3'}>{title}</h2>
      {children}
    </div>
  );
}

export function Waiting() {
  return (
    <p role="status" className="px-4 py-6 text-muted-foreground">
      Loading …
    </p>
  );
}

/** A refusal of the control API, and what helps. */
export function Refusal({ error }: { error: Error }) {
  const { code, hint } = error instanceof ApiError ? error : { code: undefined, hint: undefined };
  return (
    <Notice title={error.message} tone="danger">
      {hint && <p>{hint}</p>}
      {code && HELP[code] && <p>{HELP[code]}</p>}
      {code && <p className="code text-muted-foreground">{code}</p>}
    </Notice>
  );
}

const HELP: Record<string, string> = {
  not_local: 'Open it on the machine that serves, or set MINATO_DEV_TOKEN there and sign in with it.',
  wrong_host: 'Open it by 127.0.0.1 or localhost, with the port of the server.',
  wrong_origin: 'Open it by an address line or a bookmark, not from another site.',
  token_needed: 'The server has MINATO_DEV_TOKEN set: sign in with it.',
  journal_unavailable: 'Serve with one process, and without MINATO_JOURNAL=false.',
  branch_not_found: 'Choose another branch above.',
  branch_expired:
    'It was dropped when nobody had asked it for its time to live. Choose another branch above.',
  no_answer: 'The console goes on by itself when it does again.',
};
