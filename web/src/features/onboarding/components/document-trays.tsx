/** Both documents and the picture. */
import { Lock } from 'lucide-react';
import { Alert } from '@/components/ui/alert';
import { fields } from '@/copy/auth';
import { agentProfile, documents as copy } from '@/copy/onboarding';
import type { VerificationRecord } from '../data/verification-query';
import { documentRule, pictureRule, type DocumentKind } from '../files';
import { handedInOf } from '../standing';
import { DocumentTray } from './document-tray';
import type { DocumentTraysState } from './use-document-trays';

interface DocumentTraysProps {
  trays: DocumentTraysState;
  /** What was handed in before. */
  submission: VerificationRecord | null;
  disabled: boolean;
}

export function DocumentTrays({ trays, submission, disabled }: DocumentTraysProps) {
  return (
    <>
      <p className="flex items-start gap-2 text-small text-muted-foreground sm:col-span-2">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
        {copy.privacy}
      </p>
      {trays.isComplaining && (
        <div className="sm:col-span-2">
          <Alert title={copy.missing.title} text={copy.missing.text} />
        </div>
      )}
      <DocumentTray
        {...trayProps(trays, 'identity', disabled)}
        label={copy.identity}
        hint={copy.identityHint}
        note={fields.required}
        rule={documentRule}
        handedIn={handedInOf(submission, 'identity_document')}
      />
      <DocumentTray
        {...trayProps(trays, 'company', disabled)}
        label={copy.company}
        hint={copy.companyHint}
        note={fields.required}
        rule={documentRule}
        handedIn={handedInOf(submission, 'company_proof')}
      />
      <div className="sm:col-span-2">
        <DocumentTray
          {...trayProps(trays, 'picture', disabled)}
          label={agentProfile.picture}
          hint={agentProfile.pictureHint}
          note={fields.optional}
          rule={pictureRule}
        />
      </div>
    </>
  );
}

/** What every tray is given of what lies in it. */
export function trayProps(trays: DocumentTraysState, kind: DocumentKind, disabled: boolean) {
  const isRequired = kind === 'identity' || kind === 'company';
  return {
    file: trays.documents[kind],
    refusal: trays.refusals[kind],
    progress: disabled ? trays.progress[kind] : undefined,
    disabled,
    isMissing: isRequired && trays.isComplaining && !trays.isThere(kind),
    onChange: (file: File | null) => trays.choose(kind, file),
    onRefuse: (refusal: Parameters<DocumentTraysState['refuse']>[1]) => trays.refuse(kind, refusal),
  };
}
