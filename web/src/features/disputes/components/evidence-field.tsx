/** Files that show what happened: chosen one by one, each with its name, its size and a way out. */
import { FileText, Upload, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { disputes } from '@/copy/reports';
import { acceptOf, formatSize, refuseFile, type FileRule } from '@/lib/files';

const copy = disputes.form;
const MOST = 5;
const RULE: FileRule = { extensions: ['pdf', 'jpg', 'jpeg', 'png', 'webp'], megabytes: 10 };

interface EvidenceFieldProps {
  files: File[];
  onChange: (files: File[]) => void;
  disabled: boolean;
}

export function EvidenceField({ files, onChange, disabled }: EvidenceFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | undefined>();
  const add = (chosen: File[]) => {
    const reason = chosen.map((file) => refuseFile(file, RULE)).find((each) => each !== null);
    const tooMany = files.length + chosen.length > MOST ? copy.tooMany : undefined;
    const why = reason ?? tooMany;
    setRefusal(why);
    if (why === undefined) onChange([...files, ...chosen]);
  };
  return (
    <div role="group" aria-labelledby={id} className="space-y-2">
      <p id={id} className="text-label text-muted-foreground">
        {copy.files}
      </p>
      {files.length > 0 && (
        <ul className="divide-y rounded-control border">
          {files.map((file) => (
            <ChosenFile
              key={`${file.name}${file.lastModified}${file.size}`}
              file={file}
              disabled={disabled}
              onRemove={() => onChange(files.filter((each) => each !== file))}
            />
          ))}
        </ul>
      )}
      <Button variant="outline" size="small" disabled={disabled} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {copy.addFile}
      </Button>
      <input
        ref={input}
        hidden
        multiple
        type="file"
        aria-label={copy.addFile}
        accept={acceptOf(RULE)}
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <p className="text-small text-muted-foreground">{copy.filesHint}</p>
      <div role="alert">
        <FieldError message={refusal} />
      </div>
    </div>
  );
}

interface ChosenFileProps {
  file: File;
  disabled: boolean;
  onRemove: () => void;
}

function ChosenFile({ file, disabled, onRemove }: ChosenFileProps) {
  return (
    <li className="flex items-center gap-3 py-1 pl-3">
      <FileText aria-hidden className="size-5 shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1 leading-snug">
        <span dir="auto" className="block truncate">
          {file.name}
        </span>
        <span className="block text-small text-muted-foreground figures">{formatSize(file.size)}</span>
      </span>
      <Button
        variant="ghost"
        size="icon"
        aria-label={copy.removeFile(file.name)}
        disabled={disabled}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}
