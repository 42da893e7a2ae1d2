/** What lies in the trays, how far each upload is, and whether something is missing. */
import { useState } from 'react';
import { noDocuments, type DocumentKind } from '../files';

export type UploadProgress = Partial<Record<DocumentKind, number>>;

export function useDocumentTrays() {
  const [documents, setDocuments] = useState(noDocuments);
  const [progress, setProgress] = useState<UploadProgress>({});
  const [isComplaining, setComplaining] = useState(false);
  const isComplete = documents.identity !== null && documents.company !== null;
  return {
    documents,
    progress,
    isComplete,
    isComplaining: isComplaining && !isComplete,
    complain: () => setComplaining(true),
    onChange: (kind: DocumentKind, file: File | null) =>
      setDocuments((current) => ({ ...current, [kind]: file })),
    onProgress: (kind: DocumentKind, part: number) =>
      setProgress((current) => ({ ...current, [kind]: part })),
  };
}
