/** Sends a list of cars to the function that checks and imports it, as the agent who is signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { importOffers as copy, type importColumns } from '@/copy/import-offers';
import { AppError, NotAuthenticatedError, ServiceError, toAppError, UnreachableError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { postKeys } from './keys';

export type ImportMode = 'check' | 'import';
export type ImportState = 'new' | 'there' | 'wrong' | 'added' | 'failed';

export interface ImportRow {
  /** As a spreadsheet counts, the names of the columns included. */
  row: number;
  state: ImportState;
  car: {
    stock_no: string;
    car_name: string | null;
    model: string | null;
    variant: string | null;
    year: number | null;
    mileage_km: number | null;
    cnf_price: number | null;
  };
  problems: { column: keyof typeof importColumns; text: string }[];
}

/** What the function answers. */
export interface ImportReport {
  mode: ImportMode;
  encoding: string;
  /** `column` is null where the name means nothing to the function. */
  columns: { name: string; column: string | null }[];
  counts: Record<ImportState, number>;
  /** Why rows failed. */
  reason: string | null;
  rows: ImportRow[];
}

interface Sent {
  file: File;
  mode: ImportMode;
}

async function sendList({ file, mode }: Sent): Promise<ImportReport> {
  const body = await contentOf(file);
  const answer = await supabase.functions.invoke<ImportReport>(`import-offers?mode=${mode}`, { body });
  if (answer.error || !answer.data) throw await failureOf(answer.error);
  return answer.data;
}

async function contentOf(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (error) {
    throw new AppError(copy.file.unreadable, undefined, { cause: error });
  }
}

interface Refusal {
  code?: string;
  message?: string;
}

/** The function speaks to people in `message`; what stands before it does not. */
async function failureOf(error: unknown): Promise<AppError> {
  const context = (error as { context?: unknown } | null)?.context;
  if (!(context instanceof Response)) return toAppError(context ?? error, copy.failed);
  const { code, message } = await refusalOf(context);
  const options = { cause: error };
  if (context.status === 401) return new NotAuthenticatedError(message ?? copy.failed, code, options);
  const isOwn = message !== undefined && /^[a-z_]+$/.test(code ?? '');
  const Class = isAbsent(context.status) ? UnreachableError : ServiceError;
  const words = isAbsent(context.status) ? copy.unavailable : copy.failed;
  return new Class(isOwn ? message : words, code, options);
}

async function refusalOf(answer: Response): Promise<Refusal> {
  return answer.json().catch(() => ({})) as Promise<Refusal>;
}

/** No such function, switched off, not started, or no process free. */
function isAbsent(status: number): boolean {
  return status === 404 || status >= 500;
}

export function useImportOffers() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: sendList,
    onSettled: (_data, _error, { mode }) =>
      mode === 'import' ? queryClient.invalidateQueries({ queryKey: postKeys.all }) : undefined,
  });
}
