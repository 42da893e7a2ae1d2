/** Reads the mails the server would have sent. */
import { serverInfo } from './server';

export interface Mail {
  to: string;
  type: string;
  subject: string;
  link: string;
  token: string;
  token_hash: string;
}

/** The newest mail to an address, of one kind if that matters; waits for it up to ten seconds. */
export async function newestMail(to: string, type?: string, url = serverInfo().url): Promise<Mail> {
  const query = new URLSearchParams({ to, wait: '10', ...(type && { type }) });
  const response = await fetch(`${url}/_dev/outbox?${query}`);
  const [mail] = (await response.json()) as Mail[];
  if (!mail) throw new Error(`No mail to ${to}.`);
  return mail;
}
