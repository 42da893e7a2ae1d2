/** What the link in a mail is about, and what its reader wants: by the link alone, whoever is signed in. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { mails } from '@/copy/mails';
import { toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { z } from '@/lib/zod';

const choiceSchema = z.object({ topic: z.string(), wanted: z.boolean() });
export type MailChoice = z.infer<typeof choiceSchema>;

const choiceKey = (token: string) => ['mail-choice', token] as const;

/** Reading changes nothing: programs that open every link of a mail stop nothing. */
export function mailChoiceQueryOptions(token: string) {
  return queryOptions({
    queryKey: choiceKey(token),
    retry: false,
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc('mail_choice', { p_token: token }).abortSignal(signal);
      return choiceSchema.parse(unwrap(answer, mails.readFailed));
    },
  });
}

async function choose(token: string, wanted: boolean): Promise<MailChoice> {
  const { data, error, status } = await supabase.rpc('choose_mail', { p_token: token, p_wanted: wanted });
  if (error) throw toAppError(error, mails.failed, status);
  return choiceSchema.parse(data);
}

export function useChooseMail(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (wanted: boolean) => choose(token, wanted),
    onSuccess: (choice) => {
      queryClient.setQueryData(choiceKey(token), choice);
      void queryClient.invalidateQueries({ queryKey: ['preferences'] });
    },
  });
}
