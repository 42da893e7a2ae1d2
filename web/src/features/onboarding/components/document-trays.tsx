/** Both documents and the picture. */
import { Lock } from 'lucide-react';
import { Alert } from '@/components/ui/alert';
import { fields } from '@/copy/auth';
import { agentProfile, documents as copy } from '@/copy/onboarding';
import { documentRule, pictureRule, type DocumentKind, type Documents } from '../files';
import { DocumentTray } from './document-tray';
import type { UploadProgress } from './use-document-trays';

interface DocumentTraysProps {
  documents: Documents;
  onChange: (kind: DocumentKind, file: File | null) => void;
  progress: UploadProgress;
  disabled: boolean;
  /** After a submission without both documents. */
  isComplaining: boolean;
}

export function DocumentTrays(props: DocumentTraysProps) {
  const { documents, onChange, progress, disabled, isComplaining } = props;
  const tray = (kind: DocumentKind) => ({
    file: documents[kind],
    progress: disabled ? progress[kind] : undefined,
    disabled,
    isMissing: isComplaining && kind !== 'picture' && !documents[kind],
    onChange: (file: File | null) => onChange(kind, file),
  });

  return (
    <>
      {isComplaining && (
        <div className="sm:col-span-2">
          <Alert title={copy.missing.title} text={copy.missing.text} />
        </div>
      )}
      <DocumentTray
        {...tray('identity')}
        label={copy.identity}
        hint={copy.identityHint}
        note={fields.required}
        rule={documentRule}
      />
      <DocumentTray
        {...tray('company')}
        label={copy.company}
        hint={copy.companyHint}
        note={fields.required}
        rule={documentRule}
      />
      <DocumentTray
        {...tray('picture')}
        label={agentProfile.picture}
        note={fields.optional}
        rule={pictureRule}
      />
      <p className="flex items-start gap-2 self-end text-small text-muted-foreground">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
        {copy.privacy}
      </p>
    </>
  );
}
