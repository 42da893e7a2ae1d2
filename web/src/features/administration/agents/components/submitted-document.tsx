/** One submitted document: a picture to look at, or a PDF to open. */
import { useQuery } from '@tanstack/react-query';
import { Check, FileText } from 'lucide-react';
import { ErrorPanel } from '@/components/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { app } from '@/copy/app';
import { adminAgents } from '@/copy/back-office';
import { documentQueryOptions } from '../data/documents';

const copy = adminAgents.sheet;

interface SubmittedDocumentProps {
  label: string;
  path: string;
  /** Where it matters that somebody looked at it. */
  isOpened?: boolean;
  onOpen?: () => void;
}

export function SubmittedDocument({ label, path, isOpened = false, onOpen }: SubmittedDocumentProps) {
  const { data: url, error, refetch } = useQuery(documentQueryOptions(path));
  if (error)
    return <ErrorPanel error={error} fallback={copy.documentFailed} onRetry={() => void refetch()} />;
  if (!url) return <Skeleton className="h-40 w-full rounded-control" />;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      onClick={onOpen}
      // the middle button opens it as well
      onAuxClick={onOpen}
      aria-label={`${copy.openDocument(label)} (${app.newTab})${isOpened ? `, ${copy.opened}` : ''}`}
      className="block overflow-hidden rounded-control border hover:border-input"
    >
      {path.endsWith('.pdf') ? (
        <PdfSheet />
      ) : (
        <img src={url} alt="" className="aspect-4/3 w-full object-contain" />
      )}
      <span className="flex flex-wrap items-center justify-between gap-x-3 border-t px-3 py-2">
        <span className="font-semibold underline underline-offset-4">{label}</span>
        {isOpened && (
          <span className="inline-flex items-center gap-1 text-small text-success">
            <Check aria-hidden className="size-3.5" />
            {copy.opened}
          </span>
        )}
      </span>
    </a>
  );
}

function PdfSheet() {
  return (
    <span className="grid aspect-4/3 place-content-center justify-items-center gap-2 bg-muted text-muted-foreground">
      <FileText aria-hidden className="size-8" />
      {copy.pdf}
    </span>
  );
}
