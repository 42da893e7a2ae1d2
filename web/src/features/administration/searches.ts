/** What each list of the back office keeps in its address. Links to a filtered list are made of these. */
import { audit } from '@/copy/back-office-audit';
import { adminAgents, adminImporters } from '@/copy/back-office';
import { adminConversations, adminMessages, adminRequests, adminTickets } from '@/copy/back-office-cases';
import { adminMails } from '@/copy/back-office-mails';
import { oneOf, opened, typed } from '@/lib/search-params';
import { listSearch } from './list-state';

const tabsOf = <Tab extends string>(tabs: Record<Tab, string>) => Object.keys(tabs) as Tab[];

export const agentSearch = listSearch(tabsOf(adminAgents.tabs), [
  'agent',
  'place',
  'submitted',
  'payment',
  'rating',
  'status',
]);
export const importerSearch = listSearch(tabsOf(adminImporters.tabs), [
  'importer',
  'place',
  'account',
  'requests',
  'success',
  'spent',
  'status',
]);
export const requestSearch = listSearch(tabsOf(adminRequests.tabs), [
  'car',
  'importer',
  'posted',
  'budget',
  'agent',
  'priority',
  'progress',
  'status',
]);
export const ticketSearch = listSearch(tabsOf(adminTickets.tabs), [
  'subject',
  'from',
  'category',
  'priority',
  'opened',
  'status',
]);
export const conversationSearch = listSearch(tabsOf(adminConversations.tabs), [
  'participants',
  'messages',
  'unread',
  'last',
  'report',
]);

export const mailSearch = listSearch(tabsOf(adminMails.tabs), [
  'to',
  'subject',
  'queued',
  'tried',
  'attempts',
  'status',
]);

/** The screen of tickets and conversations; each of its tabs has a list of its own. */
export const messagesSearch = { view: oneOf(tabsOf(adminMessages.tabs), 'tickets') };

export const auditSearch = {
  ...listSearch(tabsOf(audit.tabs), ['when']),
  who: typed(),
  from: typed(),
  to: typed(),
};

export const dashboardSearch = { open: opened() };
export const analyticsSearch = {
  view: oneOf(['overview', 'geographic', 'categories', 'performers'], 'overview'),
  from: typed(),
  to: typed(),
};
