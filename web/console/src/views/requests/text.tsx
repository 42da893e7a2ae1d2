import type { Body } from '../../dev/types';

/** A body as it can be read: JSON in lines. */
export function Text({ body, label }: { body: Body; label: string }) {
  if (body.text === null || body.text === '')
    return (
      <p className="text-muted-foreground">
        {body.bytes > 0 ? `${body.bytes} bytes of ${body.type}, not shown.` : 'Empty.'}
      </p>
    );
  return (
    <>
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className="code max-h-96 overflow-auto rounded-control bg-muted px-3 py-2 break-words whitespace-pre-wrap"
      >
        {pretty(body)}
      </pre>
      {body.truncated && (
        <p className="mt-1 text-muted-foreground">The first 64 KiB of {body.bytes} bytes.</p>
      )}
    </>
  );
}

function pretty({ text, type, truncated }: Body): string {
  if (text === null || truncated || !type.includes('json')) return text ?? '';
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
