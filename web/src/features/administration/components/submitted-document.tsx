/** One submitted document: a picture to look at, or a PDF to open. */
import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { ErrorPanel } from '@/components/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { adminAgents } from '@/copy/back-office';
import { app } from '@/copy/app';
import { documentQueryOptions } from '../data/document-query';

const copy = adminAgents.sheet;

export function SubmittedDocument({ label, path }: { label: string; path: string }) {
  const { data: url, error, refetch } = useQuery(documentQueryOptions(path));
  if (error)
    return <ErrorPanel error={error} fallback={copy.documentFailed} onRetry={() => void refetch()} />;
  if (!url) return <Skeleton className="h-40 w-full rounded-control" />;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={`${copy.openDocument(label)} (${app.newTab})`}
      className="block overflow-hidden rounded-control border hover:border-input"
    >
      {path.endsWith('.pdf') ? (
        <PdfSheet />
      ) : (
        <img src={url} alt={label} className="aspect-4/3 w-full object-contain" />
      )}
      <span className="block border-t px-3 py-2 font-semibold underline underline-offset-4">{label}</span>
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
