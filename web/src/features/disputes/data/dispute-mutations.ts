/** Raising a dispute and adding to one: the files first, then the words that name them. */
import { useQueryClient } from '@tanstack/react-query';
import { disputes } from '@/copy/reports';
import { toAppError } from '@/lib/errors';
import { extensionOf } from '@/lib/files';
import { supabase } from '@/lib/supabase';
import { uploadWithProgress } from '@/lib/upload';
import { useMutation } from '@/lib/use-mutation';
import { newId } from '@/lib/ids';
import { disputeKeys } from './disputes-query';

export const EVIDENCE = 'dispute-evidence';

export interface Said {
  statement: string;
  files: File[];
}

interface Place {
  userId: string;
  dealId: string;
}

/** What has arrived, so that a second try does not send it again. */
const arrived = new WeakMap<File, string>();

async function handIn({ userId, dealId }: Place, file: File): Promise<{ title: string; path: string }> {
  const path = arrived.get(file) ?? `${userId}/${dealId}/${newId()}.${extensionOf(file.name)}`;
  if (!arrived.has(file)) {
    await uploadWithProgress({ bucket: EVIDENCE, path, file }, () => undefined);
    arrived.set(file, path);
  }
  return { title: file.name, path };
}

async function handInAll(place: Place, files: readonly File[]) {
  const pieces = [];
  for (const file of files) pieces.push(await handIn(place, file));
  return pieces;
}

interface NewDispute extends Said {
  reason: string;
}

async function raise(place: Place, invitationId: string, said: NewDispute): Promise<void> {
  const evidence = await handInAll(place, said.files);
  const { error, status } = await supabase.rpc('raise_dispute', {
    p_invitation: invitationId,
    p_reason: said.reason,
    p_statement: said.statement,
    p_evidence: evidence,
  });
  if (error) throw toAppError(error, disputes.form.failed, status);
}

export function useRaiseDispute(place: Place, invitationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (said: NewDispute) => raise(place, invitationId, said),
    onSuccess: () => client.invalidateQueries({ queryKey: disputeKeys.all }),
  });
}

async function answer(place: Place, disputeId: string, said: Said): Promise<void> {
  const evidence = await handInAll(place, said.files);
  const { error, status } = await supabase.rpc('answer_dispute', {
    p_dispute: disputeId,
    p_statement: said.statement,
    p_evidence: evidence,
  });
  if (error) throw toAppError(error, disputes.answer.failed, status);
}

export function useAnswerDispute(place: Place, disputeId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (said: Said) => answer(place, disputeId, said),
    onSuccess: () => client.invalidateQueries({ queryKey: disputeKeys.all }),
  });
}

/** The address of a private file, for a few minutes. */
export async function evidenceAddressOf(path: string): Promise<string> {
  const { data, error } = await supabase.storage.from(EVIDENCE).createSignedUrl(path, 300);
  if (error) throw toAppError(error, disputes.sheet.fileFailed);
  return data.signedUrl;
}
