/** In place of a list that could not be read: the stored message and another try. */
import { Button } from './ui/button';
import { Alert } from './ui/alert';
import { app } from '@/copy/app';
import { AppError, messageOf } from '@/lib/errors';

interface ErrorPanelProps {
  error: Error;
  fallback: string;
  onRetry: () => void;
}

export function ErrorPanel({ error, fallback, onRetry }: ErrorPanelProps) {
  const code = error instanceof AppError ? error.code : undefined;
  return (
    <div title={code}>
      <Alert
        text={messageOf(error, fallback)}
        action={
          <Button variant="outline" size="small" className="mt-3" onClick={onRetry}>
            {app.tryAgain}
          </Button>
        }
      />
    </div>
  );
}
