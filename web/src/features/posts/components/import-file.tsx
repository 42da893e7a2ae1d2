/** Where a list is dropped or chosen, and what may stand in it. */
import { Download } from 'lucide-react';
import { DropZone, FileButton } from '@/components/drop-zone';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { importColumns, importOffers as copy } from '@/copy/import-offers';
import { validation } from '@/copy/validation';
import { csvText, downloadCsv } from '@/lib/csv';
import { acceptOf, refuseFile, type FileRule } from '@/lib/files';

/** As the function has it. */
const rule = { extensions: ['csv', 'tsv', 'txt'], megabytes: 2 } as const satisfies FileRule;

const labels = Object.values(importColumns).map(([label]) => label);

export interface RefusedList {
  file: File;
  reason: string;
  /** Whether the same file may be taken in a moment. */
  isPassing: boolean;
}

interface ImportFileProps {
  /** The name of the file that is being read. */
  checking: string | null;
  refused: RefusedList | null;
  onChoose: (file: File) => void;
  onRefuse: (refused: RefusedList) => void;
}

export function ImportFile({ checking, refused, onChoose, onRefuse }: ImportFileProps) {
  const choose = (file: File | undefined) => {
    if (!file) return;
    const reason = file.size === 0 ? validation.fileEmpty : refuseFile(file, rule);
    if (reason === null) onChoose(file);
    else
      onRefuse({ file, reason: reason === validation.fileType ? copy.file.type : reason, isPassing: false });
  };
  return (
    <div className="space-y-6">
      {refused && (
        <ImportFailure {...refused} disabled={checking !== null} onRetry={() => choose(refused.file)} />
      )}
      <Card aria-labelledby="import-file-title" aria-busy={checking !== null}>
        <CardHeader>
          <CardTitle id="import-file-title">{copy.file.label}</CardTitle>
        </CardHeader>
        <CardContent className="space-y-3">
          <p>{copy.file.text}</p>
          <DropZone invalid={refused !== null} disabled={checking !== null} onDrop={choose}>
            <FileButton
              label={copy.file.label}
              accept={acceptOf(rule)}
              replaces={false}
              disabled={checking !== null}
              onChoose={choose}
            />
          </DropZone>
          <p role="status" dir="auto" className="text-small break-words text-muted-foreground">
            {checking === null ? copy.file.limits : copy.file.checking(checking)}
          </p>
        </CardContent>
      </Card>
      <Columns />
    </div>
  );
}

interface ImportFailureProps extends RefusedList {
  disabled: boolean;
  onRetry: () => void;
}

export function ImportFailure({ file, reason, isPassing, disabled, onRetry }: ImportFailureProps) {
  return (
    <Alert
      title={copy.file.refused(file.name)}
      text={reason}
      action={
        isPassing && (
          <Button variant="outline" size="small" className="mt-3" disabled={disabled} onClick={onRetry}>
            {copy.retry}
          </Button>
        )
      }
    />
  );
}

function Columns() {
  return (
    <Card aria-labelledby="import-columns-title">
      <CardHeader>
        <CardTitle id="import-columns-title">{copy.columns.title}</CardTitle>
        <Button variant="outline" size="small" onClick={downloadTemplate}>
          <Download aria-hidden />
          {copy.file.template}
        </Button>
      </CardHeader>
      <CardContent className="space-y-3">
        <p>{copy.columns.text}</p>
        <ul className="flex flex-wrap gap-x-2 gap-y-1.5">
          {labels.map((label) => (
            <li key={label} className="rounded-control bg-muted px-2 py-0.5 text-small">
              {label}
            </li>
          ))}
        </ul>
        <p className="text-muted-foreground">{copy.columns.stockNo}</p>
      </CardContent>
    </Card>
  );
}

/** A list with one car, which may be imported as it is. */
function downloadTemplate(): void {
  const examples = Object.values(importColumns).map(([, example]) => example);
  downloadCsv(copy.file.templateName, csvText([labels, examples]));
}
