/** Reads the mails the server would have sent. */
import { serverInfo } from './server';

export interface Mail {
  to: string;
  type: string;
  subject: string;
  link: string;
  token_hash: string;
}

/** The newest mail to an address; waits for it up to five seconds. */
export async function newestMail(to: string): Promise<Mail> {
  const query = new URLSearchParams({ to, wait: '5' });
  const response = await fetch(`${serverInfo().url}/_dev/outbox?${query}`);
  const [mail] = (await response.json()) as Mail[];
  if (!mail) throw new Error(`No mail to ${to}.`);
  return mail;
}
