/** One place for one file: drop it anywhere in the frame, or choose it. A refused file is named, with the reason. */
import { CircleAlert, FileCheck2, FileText, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { Progress } from '@/components/ui/progress';
import { documents as copy } from '@/copy/onboarding';
import { acceptOf, formatSize, refuseFile, type FileRule } from '@/lib/files';
import type { Refusal } from '../files';
import { DropZone, FileButton } from '@/components/drop-zone';

/** A document that lies with the team already. */
export interface HandedIn {
  name: string | null;
  /** 'Waiting for the check', 'Accepted' or why it was sent back. */
  note: string;
  isRefused: boolean;
}

interface DocumentTrayProps {
  label: string;
  hint?: string;
  note: string;
  rule: FileRule;
  file: File | null;
  handedIn?: HandedIn | undefined;
  refusal?: Refusal | undefined;
  isMissing?: boolean;
  /** From 0 to 1 while the file is on its way. */
  progress?: number | undefined;
  disabled: boolean;
  onChange: (file: File | null) => void;
  onRefuse: (refusal: Refusal) => void;
}

export function DocumentTray(props: DocumentTrayProps) {
  const { label, hint, note, rule, file, handedIn, refusal, isMissing = false, progress, disabled } = props;
  const id = useId();
  const choose = (next: File | null | undefined) => {
    if (!next) return;
    const reason = refuseFile(next, rule);
    if (reason === null) props.onChange(next);
    else props.onRefuse({ name: next.name, reason });
  };
  const isWrong = refusal !== undefined || isMissing || (handedIn?.isRefused === true && file === null);
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span id={id} className="text-label text-muted-foreground">
          {label}
        </span>
        <span dir="auto" className="text-small text-muted-foreground">
          {note}
        </span>
      </div>
      <DropZone invalid={isWrong} disabled={disabled} onDrop={choose}>
        {file && (
          <ChosenFile file={file} label={label} disabled={disabled} onRemove={() => props.onChange(null)} />
        )}
        {!file && handedIn && <HandedInFile {...handedIn} />}
        {progress !== undefined && file && <Progress label={copy.uploading(file.name)} part={progress} />}
        <div role="alert" className="empty:hidden">
          {refusal && <RefusedFile {...refusal} />}
        </div>
        <FileButton
          label={label}
          accept={acceptOf(rule)}
          replaces={file !== null || handedIn !== undefined}
          disabled={disabled}
          onChoose={choose}
        />
      </DropZone>
      <p className="text-small text-muted-foreground">
        {hint} {copy.accepts(typesOf(rule), rule.megabytes)}.
      </p>
    </div>
  );
}

/** `PDF, JPG, JPEG, PNG` */
function typesOf({ extensions }: FileRule): string {
  return extensions?.join(', ').toUpperCase() ?? '';
}

function RefusedFile({ name, reason }: Refusal) {
  return (
    <p className="flex items-start gap-2 text-small text-destructive">
      <CircleAlert aria-hidden className="mt-0.5 size-4" />
      <span className="min-w-0">
        <span dir="auto" className="block text-left font-semibold break-words">
          {name}
        </span>
        <span dir="auto" className="block">
          {reason}
        </span>
      </span>
    </p>
  );
}

function HandedInFile({ name, note, isRefused }: HandedIn) {
  const Icon = isRefused ? CircleAlert : FileCheck2;
  return (
    <div className="flex items-start gap-3">
      <Icon
        aria-hidden
        className={isRefused ? 'mt-0.5 size-5 text-destructive' : 'mt-0.5 size-5 text-muted-foreground'}
      />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-semibold">
          {name ?? copy.handedIn}
        </span>
        <span
          dir="auto"
          className={
            isRefused ? 'block text-small text-destructive' : 'block text-small text-muted-foreground'
          }
        >
          {note}
        </span>
      </span>
    </div>
  );
}

interface ChosenFileProps {
  file: File;
  label: string;
  disabled: boolean;
  onRemove: () => void;
}

function ChosenFile({ file, label, disabled, onRemove }: ChosenFileProps) {
  return (
    <div className="flex items-center gap-3">
      <FileText aria-hidden className="size-5 shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-semibold">
          {file.name}
        </span>
        <span className="block text-small text-muted-foreground figures">{formatSize(file.size)}</span>
      </span>
      <Button variant="ghost" size="icon" disabled={disabled} onClick={onRemove}>
        <X aria-hidden />
        <span className="sr-only">
          {copy.remove}: {label}
        </span>
      </Button>
    </div>
  );
}
