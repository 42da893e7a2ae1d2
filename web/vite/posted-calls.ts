/**
 * Addresses of the site that take a POST, and the function of the database it calls: for the mail programs that stop
 * mails by themselves (RFC 8058). The build writes them into `routes.json`, where the server reads them.
 */
import { paths } from '../src/config/paths.ts';

export interface PostedCall {
  function: string;
  /** One for each parameter of the address. */
  arguments: readonly string[];
}

export const postedCalls: Readonly<Record<string, PostedCall>> = {
  [paths.mails(':token')]: { function: 'choose_mail', arguments: ['p_token'] },
};
