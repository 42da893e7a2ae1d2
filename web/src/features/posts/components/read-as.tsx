/** Says that a mistyped text was read as another one, and lets the person insist. */
import { Button } from '@/components/ui/button';
import { readAs as copy } from '@/copy/offers';

interface ReadAsProps {
  /** What was searched for instead; null where the text was understood. */
  readAs: string | null;
  typed: string;
  onExact: () => void;
}

export function ReadAs({ readAs, typed, onExact }: ReadAsProps) {
  if (readAs === null || typed.trim() === '') return null;
  return (
    <p role="status" className="mb-2 flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 break-words">{copy.showing(readAs)}</span>
      <Button
        variant="link"
        size="inline"
        onClick={onExact}
        className="min-h-11 min-w-0 break-words whitespace-normal sm:min-h-6"
      >
        {copy.insist(typed.trim())}
      </Button>
    </p>
  );
}
