/**
 * What lies in the trays, how far each upload is, what was refused, and whether something is missing. Chosen files stay
 * while the app is open, so that both screens have the same; they leave with the person, as everything read does.
 */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refuseContent } from '@/lib/file-contents';
import { onboardingKeys } from '../data/verification-query';
import { noDocuments, type DocumentKind, type Documents, type Refusal, type Refusals } from '../files';

export type UploadProgress = Partial<Record<DocumentKind, number>>;

function useChosenFiles(agentId: string | null) {
  const queryClient = useQueryClient();
  const queryKey = onboardingKeys.chosen(agentId);
  const { data } = useQuery<Documents>({
    queryKey,
    queryFn: skipToken,
    initialData: noDocuments,
    gcTime: Infinity,
  });
  const change = (next: (current: Documents) => Documents) =>
    queryClient.setQueryData<Documents>(queryKey, (current) => next(current ?? noDocuments));
  return { documents: data ?? noDocuments, change };
}

/** A file cannot be kept beyond the tab, so closing or reloading it with one in a tray asks first. */
function useCloseWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}

interface TraysOptions {
  agentId: string | null;
  /** What was handed in before and need not be chosen again. */
  isHandedIn: (kind: DocumentKind) => boolean;
}

export function useDocumentTrays({ agentId, isHandedIn }: TraysOptions) {
  const { documents, change } = useChosenFiles(agentId);
  const [progress, setProgress] = useState<UploadProgress>({});
  const [refusals, setRefusals] = useState<Refusals>({});
  const [isComplaining, setComplaining] = useState(false);
  useCloseWarning(Object.values(documents).some((file) => file !== null));
  const isThere = (kind: DocumentKind) => documents[kind] !== null || isHandedIn(kind);
  const isComplete = isThere('identity') && isThere('company');

  const refuse = (kind: DocumentKind, refusal: Refusal | undefined) =>
    setRefusals((current) => ({ ...current, [kind]: refusal }));

  /** Takes a file at its word and looks into it at once; one that is not what it says gives its place back. */
  const choose = async (kind: DocumentKind, file: File | null) => {
    const before = documents[kind];
    refuse(kind, undefined);
    change((current) => ({ ...current, [kind]: file }));
    const reason = file && (await refuseContent(file));
    if (!reason) return;
    change((current) => {
      if (current[kind] !== file) return current;
      refuse(kind, { name: file.name, reason });
      return { ...current, [kind]: before };
    });
  };

  return {
    documents,
    progress,
    refusals,
    isComplete,
    isThere,
    isComplaining: isComplaining && !isComplete,
    complain: () => setComplaining(true),
    refuse,
    /** The service refused these: each gives its place back. */
    giveBack: (refused: Refusals) => {
      setRefusals(refused);
      const kinds = Object.keys(refused) as DocumentKind[];
      change((current) => kinds.reduce((rest, kind) => ({ ...rest, [kind]: null }), current));
    },
    empty: () => change(() => noDocuments),
    choose: (kind: DocumentKind, file: File | null) => void choose(kind, file),
    onProgress: (kind: DocumentKind, part: number) =>
      setProgress((current) => ({ ...current, [kind]: part })),
  };
}

export type DocumentTraysState = ReturnType<typeof useDocumentTrays>;
