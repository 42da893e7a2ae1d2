import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { linkFailure as copy } from '@/copy/auth';
import { RecoveryDialog } from './recovery-dialog';

/** A link of a mail that was used or has expired leads back here with the reason behind the address. */
function failureIn(hash: string): string | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  return parameters.get('error_code') ?? parameters.get('error');
}

interface LinkFailureProps {
  email: string;
  /** Where the new link leads. */
  page?: string;
}

/** Says that the link is spent, and offers a new one. */
export function LinkFailure({ email, page }: LinkFailureProps) {
  const { hash } = useLocation();
  const [isAnswered, setAnswered] = useState(false);
  if (isAnswered || !failureIn(hash)) return null;
  return (
    <div className="mb-6">
      <Alert title={copy.title} text={copy.text} />
      <RecoveryDialog email={email} page={page} onSent={() => setAnswered(true)}>
        <Button variant="outline" className="mt-3 w-full sm:w-auto">
          {copy.again}
        </Button>
      </RecoveryDialog>
    </div>
  );
}
