import { addressOf } from '../../dev/api';
import { useBranch } from '../../dev/use-branch';
import { Copy } from '../../parts/copy';
import { Notice } from '../../parts/notice';

/** Nothing was asked yet: the line that asks. */
export function FirstRequest() {
  const url = `${location.origin}${addressOf(useBranch(), '')}`;
  const line = `curl '${url}/rest/v1/' -H "apikey: $SUPABASE_ANON_KEY"`;
  return (
    <Notice title="Nothing was asked yet">
      <p>Each request of your app appears here as it is answered. Its address of this backend:</p>
      <pre className="code rounded-control bg-muted px-3 py-2 break-all whitespace-pre-wrap">{`createClient('${url}', anonKey)`}</pre>
      <p>Or ask by hand:</p>
      <pre className="code rounded-control bg-muted px-3 py-2 break-all whitespace-pre-wrap">{line}</pre>
      <div>
        <Copy name="Copy the line" text={line} />
      </div>
    </Notice>
  );
}
