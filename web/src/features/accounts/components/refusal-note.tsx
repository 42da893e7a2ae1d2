import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Alert } from '@/components/ui/alert';
import type { Refusal } from '../sign-in-failure';

/** Why it did not work, and below it the way on. The alert itself says the documented sentence and nothing else. */
export function RefusalNote({ refusal: { title, text, way } }: { refusal: Refusal }) {
  return (
    <div className="flex flex-col">
      <Alert title={title} text={text} />
      {way && (
        <Link
          to={way.to}
          state={way.state}
          className="-mt-px flex min-h-11 items-center justify-between gap-3 rounded-b-control border bg-card px-4 font-semibold text-primary underline underline-offset-4 hover:decoration-2"
        >
          {way.text}
          <ArrowRight aria-hidden className="size-4 shrink-0" />
        </Link>
      )}
    </div>
  );
}
