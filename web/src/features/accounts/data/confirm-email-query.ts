/** Redeems the token of a confirmation mail, once; opened again in this browser, the link says what came of it. */
import { queryOptions } from '@tanstack/react-query';
import { confirmEmail, type ConfirmedAccount } from './confirm-email';

const KEY = 'confirmed-link';

interface SpentLink {
  link: string;
  role: string | null;
}

function spentLink(): SpentLink | null {
  return JSON.parse(localStorage.getItem(KEY) ?? 'null') as SpentLink | null;
}

async function confirmByLink(link: string): Promise<ConfirmedAccount> {
  const spent = spentLink();
  if (spent?.link === link) return { role: spent.role, email: null };
  const account = await confirmEmail((auth) => auth.verifyOtp({ token_hash: link, type: 'email' }));
  // The token opens nothing any more, and no address is kept.
  localStorage.setItem(KEY, JSON.stringify({ link, role: account.role } satisfies SpentLink));
  return account;
}

/** A query rather than a mutation: asked twice in one visit (StrictMode), the token is still spent only once. */
export function confirmEmailQueryOptions(tokenHash: string | null) {
  return queryOptions({
    queryKey: ['accounts', 'confirmation', tokenHash] as const,
    queryFn: () => confirmByLink(tokenHash ?? ''),
    enabled: tokenHash !== null,
    staleTime: Infinity,
    retry: false,
  });
}
