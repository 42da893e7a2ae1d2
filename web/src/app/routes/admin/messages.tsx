import { Suspense } from 'react';
import { lazyPart } from '@/app/late-screen';
import { PageHeading } from '@/components/page-heading';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { adminMessages as copy } from '@/copy/back-office-cases';
import { ConversationList } from '@/features/administration/messages/components/conversation-list';
import { TicketList } from '@/features/administration/messages/components/ticket-list';
import { messagesSearch } from '@/features/administration/messages/conversation-records';
import { ticketRecords } from '@/features/administration/messages/ticket-records';
import { useSearchState } from '@/lib/search-params';

/** The charts come with it, and only when it is looked at. */
const CommunicationFigures = lazyPart(
  () => import('@/features/administration/analytics/components/communication-figures'),
);

type View = keyof typeof copy.tabs;
const SEARCH = { ...messagesSearch, ...ticketRecords.search };
/** What one list was asked means nothing to the other. */
const ANEW = { search: '', status: 'all', sort: null, open: null };

export default function AdminMessagesScreen() {
  const [{ view }, setSearch] = useSearchState(SEARCH);
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <Tabs value={view} onValueChange={(next) => setSearch({ ...ANEW, view: next as View })}>
        <TabsList aria-label={copy.title} className="overflow-x-auto overflow-y-hidden">
          {Object.entries(copy.tabs).map(([value, label]) => (
            <TabsTrigger key={value} value={value} className="flex-none whitespace-nowrap">
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="tickets">
          <TicketList />
        </TabsContent>
        <TabsContent value="conversations">
          <ConversationList />
        </TabsContent>
        <TabsContent value="communication">
          <Suspense fallback={<Skeleton className="h-96 w-full rounded-card" />}>
            <CommunicationFigures />
          </Suspense>
        </TabsContent>
      </Tabs>
    </div>
  );
}
