/** Everybody the person writes with, the latest first. */
import { useState } from 'react';
import { QueryView } from '@/components/query-view';
import { Avatar } from '@/components/ui/avatar';
import { Input } from '@/components/ui/input';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { messages as copy } from '@/copy/messages';
import { useDebounced } from '@/hooks/use-debounced';
import { cn } from '@/lib/class-names';
import { formatAge } from '@/lib/format';
import type { Conversation } from '../conversations';
import { useConversations, type Part } from '../use-messages';
import { ReadMore } from './read-more';

interface ConversationListProps {
  userId: string;
  all: Part<Conversation>;
  selectedKey: string | undefined;
  onSelect: (key: string) => void;
  now: Date;
}

export function ConversationList({ userId, all, ...rest }: ConversationListProps) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  return (
    <>
      <div className="border-b p-3">
        <Input
          type="search"
          aria-label={copy.search}
          placeholder={copy.search}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {search === '' ? <Entries list={all} {...rest} /> : <Found userId={userId} search={search} {...rest} />}
    </>
  );
}

type EntriesProps = Omit<ConversationListProps, 'userId' | 'all'>;

function Found({ userId, search, ...rest }: EntriesProps & { userId: string; search: string }) {
  const list = useConversations(userId, search);
  return (
    <QueryView
      query={list}
      error={errors.fetch.messages}
      pending={<div aria-busy className="min-h-0 flex-1" />}
      empty={<p className="p-4 text-muted-foreground">{copy.noMatch}</p>}
      className="p-4"
    >
      {() => <Entries list={list} {...rest} />}
    </QueryView>
  );
}

function Entries({ list, selectedKey, onSelect, now }: EntriesProps & { list: Part<Conversation> }) {
  return (
    <ul className="relative min-h-0 flex-1 divide-y overflow-y-auto">
      {list.data?.map((conversation) => (
        <li key={conversation.id}>
          <Entry
            conversation={conversation}
            isSelected={conversation.counterpart.key === selectedKey}
            onSelect={onSelect}
            now={now}
          />
        </li>
      ))}
      {list.hasMore && (
        <li>
          <ReadMore list={list} label={app.showMore} />
        </li>
      )}
    </ul>
  );
}

interface EntryProps {
  conversation: Conversation;
  isSelected: boolean;
  onSelect: (key: string) => void;
  now: Date;
}

function Entry({ conversation, isSelected, onSelect, now }: EntryProps) {
  const { counterpart, lastMessage, isOwn, isUnread, date } = conversation;
  return (
    <button
      type="button"
      aria-current={isSelected}
      onClick={() => onSelect(counterpart.key)}
      className={cn(
        'flex w-full items-center gap-3 border-l-4 border-transparent px-3 py-3 text-left hover:bg-muted focus-visible:-outline-offset-2',
        isSelected && 'border-primary bg-muted',
      )}
    >
      <Avatar name={counterpart.name} src={counterpart.avatarUrl} />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="flex items-baseline justify-between gap-2">
          <span dir="auto" className={cn('truncate text-left', isUnread ? 'font-bold' : 'font-semibold')}>
            {counterpart.name}
          </span>
          <time dateTime={date} className="shrink-0 text-small text-muted-foreground">
            {formatAge(date, now)}
          </time>
        </span>
        <span className="flex items-center gap-2 text-small text-muted-foreground">
          <span className={cn('truncate', isUnread && 'font-semibold text-foreground')}>
            {isOwn && `${copy.you}: `}
            <bdi>{lastMessage}</bdi>
          </span>
          {isUnread && <UnreadMark />}
        </span>
      </span>
    </button>
  );
}

function UnreadMark() {
  return (
    <span className="ml-auto shrink-0">
      <span aria-hidden className="block size-2.5 rounded-full bg-accent" />
      <span className="sr-only">{copy.unread}</span>
    </span>
  );
}
