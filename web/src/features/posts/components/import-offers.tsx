/** A list of cars on its way into the feed: choose a file, see what will happen, import it, see what happened. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { importOffers as copy } from '@/copy/import-offers';
import { messageOf, UnreachableError } from '@/lib/errors';
import { useImportOffers, type ImportMode, type ImportReport } from '../data/import-mutation';
import { ImportFailure, ImportFile, type RefusedList } from './import-file';
import { ImportedRows, ImportFigures, ImportNotes } from './import-report';

interface Step {
  file: File;
  report: ImportReport;
}

export function ImportOffers() {
  const [step, setStep] = useState<Step | null>(null);
  const [refused, setRefused] = useState<RefusedList | null>(null);
  const { mutate, isPending, variables, reset } = useImportOffers();
  const send = (file: File, mode: ImportMode) => {
    setRefused(null);
    mutate(
      { file, mode },
      {
        onSuccess: (report) => setStep({ file, report }),
        onError: (error) =>
          setRefused({
            file,
            reason: messageOf(error, copy.failed),
            isPassing: error instanceof UnreachableError,
          }),
      },
    );
  };
  const startOver = () => {
    reset();
    setRefused(null);
    setStep(null);
  };
  if (!step)
    return (
      <ImportFile
        checking={isPending ? variables.file.name : null}
        refused={refused}
        onChoose={(file) => send(file, 'check')}
        onRefuse={setRefused}
      />
    );
  const again = () => send(step.file, 'import');
  if (step.report.mode === 'import')
    return <Result {...step} busy={isPending} failure={refused} onRetry={again} onOther={startOver} />;
  return <Preview {...step} busy={isPending} failure={refused} onImport={again} onOther={startOver} />;
}

interface PreviewProps extends Step {
  busy: boolean;
  failure: RefusedList | null;
  onImport: () => void;
  onOther: () => void;
}

function Preview({ file, report, busy, failure, onImport, onOther }: PreviewProps) {
  const { counts } = report;
  return (
    <div className="space-y-6">
      <StepHeading>{copy.preview.title(file.name)}</StepHeading>
      <ImportFigures report={report} />
      <ImportNotes report={report} />
      {failure && <ImportFailure {...failure} disabled={busy} onRetry={onImport} />}
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        {counts.new > 0 ? (
          <BusyButton writes busy={busy} busyText={copy.preview.busy} onClick={onImport}>
            {copy.preview.submit(counts.new)}
          </BusyButton>
        ) : (
          <p className="font-semibold">{copy.preview.nothing}</p>
        )}
        <Button variant="outline" disabled={busy} onClick={onOther}>
          {copy.preview.other}
        </Button>
      </div>
      <p role="status" className="text-muted-foreground empty:hidden">
        {busy ? copy.preview.importing : ''}
      </p>
      <ImportedRows rows={report.rows} state="wrong" />
      <ImportedRows rows={report.rows} state="new" />
      <ImportedRows rows={report.rows} state="there" />
    </div>
  );
}

interface ResultProps extends Step {
  busy: boolean;
  failure: RefusedList | null;
  onRetry: () => void;
  onOther: () => void;
}

function Result({ report, busy, failure, onRetry, onOther }: ResultProps) {
  const { added, there, wrong, failed } = report.counts;
  return (
    <div className="space-y-6">
      <div>
        <StepHeading>{copy.result.title(added)}</StepHeading>
        <p className="mt-1 text-muted-foreground empty:hidden">{copy.result.text(there, wrong)}</p>
      </div>
      {failed > 0 && <Alert title={copy.result.partly(failed)} text={report.reason ?? copy.failed} />}
      {failure && <ImportFailure {...failure} disabled={busy} onRetry={onRetry} />}
      <div className="flex flex-col gap-3 sm:flex-row">
        {failed > 0 && (
          <BusyButton writes busy={busy} busyText={copy.preview.busy} onClick={onRetry}>
            {copy.result.retry}
          </BusyButton>
        )}
        <Button variant={failed > 0 ? 'outline' : 'primary'} asChild>
          <Link to={paths.agent.feed}>{copy.result.feed}</Link>
        </Button>
        <Button variant="outline" disabled={busy} onClick={onOther}>
          {copy.result.another}
        </Button>
      </div>
      <ImportedRows rows={report.rows} state="failed" />
      <ImportedRows rows={report.rows} state="wrong" />
    </div>
  );
}

/** What follows on a press is below: the focus goes there, and a reader hears it. */
function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [children]);
  return (
    <h2 ref={heading} tabIndex={-1} dir="auto" className="text-h2 break-words">
      {children}
    </h2>
  );
}
