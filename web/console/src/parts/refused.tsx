import { ApiError } from '../dev/api';

/** Why something was not done, in the server's words, beside what was pressed. */
export function Refused({ error }: { error: Error | null }) {
  if (!error) return null;
  const hint = error instanceof ApiError ? error.hint : undefined;
  return (
    <div role="alert" className="text-destructive">
      <p>{error.message}</p>
      {hint && <p className="text-foreground">{hint}</p>}
    </div>
  );
}
