/** One place for one file: the button first, the drop zone second. A refused file says why and changes nothing. */
import { FileText, Upload, X } from 'lucide-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { documents as copy } from '@/copy/onboarding';
import { cn } from '@/lib/class-names';
import { acceptOf, formatSize, refuseFile, type FileRule } from '@/lib/files';

interface DocumentTrayProps {
  label: string;
  hint?: string;
  note: string;
  rule: FileRule;
  file: File | null;
  isMissing?: boolean;
  /** From 0 to 1 while the file is on its way. */
  progress?: number | undefined;
  disabled: boolean;
  onChange: (file: File | null) => void;
}

export function DocumentTray(props: DocumentTrayProps) {
  const { label, hint, note, rule, file, isMissing = false, progress, disabled, onChange } = props;
  const id = useId();
  const [refusal, setRefusal] = useState<string | null>(null);
  const choose = (next: File | null | undefined) => {
    if (!next) return;
    const reason = refuseFile(next, rule);
    setRefusal(reason);
    if (reason === null) onChange(next);
  };
  const remove = () => {
    setRefusal(null);
    onChange(null);
  };
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span id={id} className="text-label text-muted-foreground">
          {label}
        </span>
        <span className="text-small text-muted-foreground">{note}</span>
      </div>
      <DropZone invalid={refusal !== null || isMissing} disabled={disabled} onDrop={choose}>
        {file && <ChosenFile file={file} label={label} disabled={disabled} onRemove={remove} />}
        {progress !== undefined && file && <Progress label={copy.uploading(file.name)} part={progress} />}
        <FileButton
          label={label}
          rule={rule}
          replaces={file !== null}
          disabled={disabled}
          onChoose={choose}
        />
      </DropZone>
      <p className="text-small text-muted-foreground">
        {hint} {copy.accepts(typesOf(rule), rule.megabytes)}.
      </p>
      <div role="alert">
        <FieldError message={refusal ?? undefined} />
      </div>
    </div>
  );
}

/** `PDF, JPG, JPEG, PNG` */
function typesOf({ extensions }: FileRule): string {
  return extensions?.join(', ').toUpperCase() ?? '';
}

interface DropZoneProps {
  invalid: boolean;
  disabled: boolean;
  onDrop: (file: File | undefined) => void;
  children: React.ReactNode;
}

function DropZone({ invalid, disabled, onDrop, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) onDrop(event.dataTransfer.files[0]);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex flex-1 flex-col gap-3 rounded-control border border-dashed border-input bg-background p-3',
        isOver && 'border-primary bg-secondary',
        invalid && 'border-destructive',
      )}
    >
      {children}
    </div>
  );
}

interface FileButtonProps {
  label: string;
  rule: FileRule;
  replaces: boolean;
  disabled: boolean;
  onChoose: (file: File | undefined) => void;
}

function FileButton({ label, rule, replaces, disabled, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button variant="outline" size="small" disabled={disabled} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {replaces ? copy.replace : copy.choose}
        <span className="sr-only">: {label}</span>
      </Button>
      <span aria-hidden className="text-small text-muted-foreground pointer-coarse:hidden">
        {copy.drop}
      </span>
      <input
        ref={input}
        hidden
        type="file"
        accept={acceptOf(rule)}
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
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
        <span className="block truncate font-semibold">{file.name}</span>
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
