/** Above a form that holds what was typed earlier. */
import { app } from '@/copy/app';
import type { KeptDraft } from '@/hooks/use-draft';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';

export function DraftNote({ draft }: { draft: KeptDraft }) {
  if (!draft.isRestored) return null;
  return (
    <Alert
      tone="info"
      text={app.draft.restored}
      action={
        <Button variant="outline" size="small" className="mt-3" onClick={draft.discard}>
          {app.draft.discard}
        </Button>
      }
    />
  );
}
