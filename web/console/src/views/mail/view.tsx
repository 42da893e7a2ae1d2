/** Mails and text messages that the server would have sent: the list, and one of them beside it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Route, Routes, useParams, useSearchParams } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { useBranch, useEvents, useJournal } from '../../dev/use-branch';
import { Refusal, Waiting } from '../../parts/notice';
import { Detail, Gone, NothingChosen } from './detail';
import { List } from './list';
import { hasWords, messageKeys, messagesQuery } from './messages';
import { NoMessages } from './no-messages';

/** How often it is asked where no line tells of news. */
const ASK_MS = 3_000;

export default function MailView() {
  return (
    <Routes>
      <Route path=":id?" element={<Mail />} />
    </Routes>
  );
}

function Mail() {
  const branch = useBranch();
  const { id } = useParams();
  const [parameters] = useSearchParams();
  const { data: messages, error } = useMessages();
  if (error && !messages) return <Refusal error={error} />;
  if (!messages) return <Waiting />;
  if (messages.length === 0 && id === undefined) return <NoMessages />;
  const chosen = messages.find((message) => message.id === id);
  const shown = messages.filter((message) => hasWords(message, parameters.get('q') ?? ''));
  return (
    <div className="grid h-full min-h-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]">
      <div className={cn('min-h-0 border-r', id !== undefined && 'max-lg:hidden')}>
        <List messages={shown} total={messages.length} />
      </div>
      <article
        key={branch + (id ?? '')}
        aria-label="Message"
        className={cn('min-h-0 overflow-y-auto', id === undefined && 'max-lg:hidden')}
      >
        {chosen ? <Detail message={chosen} /> : id === undefined ? <NothingChosen /> : <Gone />}
      </article>
    </div>
  );
}

/** They are read anew when the journal tells of one; where there is no journal, every few seconds. */
function useMessages() {
  const branch = useBranch();
  const client = useQueryClient();
  const { line } = useJournal();
  const again = useCallback(
    () => void client.invalidateQueries({ queryKey: messageKeys.all(branch) }),
    [client, branch],
  );
  useEvents(['message'], again);
  return useQuery({ ...messagesQuery(branch), refetchInterval: line === 'live' ? false : ASK_MS });
}
