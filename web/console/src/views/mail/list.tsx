import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Mail as MailIcon, MessageSquareText } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { NavLink, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { call } from '../../dev/api';
import { useBranch } from '../../dev/use-branch';
import { useKeys } from '../../frame/use-keys';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { FilterInput, focusFilter } from '../../parts/filter-input';
import { Notice } from '../../parts/notice';
import { messageKeys, momentText, titleOf, type Message } from './messages';
import { TestMail } from './test-mail';

/** `messages` are those that the filter leaves of `total`. */
export function List({ messages, total }: { messages: readonly Message[]; total: number }) {
  const [open, setOpen] = useState<'test' | 'clear'>();
  const list = useRef<HTMLOListElement>(null);
  useListKeys(list);
  const close = () => setOpen(undefined);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2">
        <Filter />
        <Button onClick={() => setOpen('test')}>Test mail …</Button>
        <Button variant="ghost" onClick={() => setOpen('clear')}>
          Delete all …
        </Button>
        <p role="status" className="w-full text-[0.8125rem] text-muted-foreground">
          {countText(messages.length, total)}
        </p>
      </div>
      <ol ref={list} aria-label="Messages" className="min-h-0 overflow-y-auto">
        {messages.map((message) => (
          <Line key={message.id} message={message} />
        ))}
      </ol>
      {messages.length === 0 && total > 0 && <NothingFits />}
      {open === 'test' && <TestMail onClose={close} />}
      {open === 'clear' && <Clear total={total} onClose={close} />}
    </div>
  );
}

function NothingFits() {
  const [parameters, setParameters] = useSearchParams();
  const remove = () => {
    const next = new URLSearchParams(parameters);
    next.delete('q');
    setParameters(next, { replace: true });
  };
  return (
    <Notice title="Nothing fits the filter">
      <Button className="justify-self-start" onClick={remove}>
        Remove the filter
      </Button>
    </Notice>
  );
}

function countText(shown: number, total: number): string {
  const all = total === 1 ? '1 message' : `${total} messages`;
  return shown === total ? all : `${shown} of ${all}`;
}

function Filter() {
  const [parameters, setParameters] = useSearchParams();
  const put = (words: string) => {
    const next = new URLSearchParams(parameters);
    if (words) next.set('q', words);
    else next.delete('q');
    setParameters(next, { replace: true });
  };
  return (
    <FilterInput
      aria-label="Filter by address, subject or kind"
      placeholder="Address, subject, kind"
      value={parameters.get('q') ?? ''}
      onChange={put}
      className="min-w-32 flex-1 text-[0.8125rem]"
    />
  );
}

function Line({ message }: { message: Message }) {
  const [parameters] = useSearchParams();
  const Icon = message.channel === 'email' ? MailIcon : MessageSquareText;
  return (
    <li>
      <NavLink
        to={{ pathname: `/mail/${message.id}`, search: parameters.toString() }}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2 border-b px-3 py-1.5 -outline-offset-2 hover:bg-muted aria-[current=page]:bg-secondary"
      >
        <Icon aria-hidden className="mt-0.5 size-4 text-muted-foreground" />
        <span className="truncate font-semibold">{titleOf(message)}</span>
        <time
          dateTime={message.created_at}
          className="justify-self-end text-[0.8125rem] text-muted-foreground figures"
        >
          {sentText(message)}
        </time>
        <span className="col-start-2 truncate text-[0.8125rem] text-muted-foreground">{message.to}</span>
        <span className="text-right text-[0.8125rem] text-muted-foreground">{message.type}</span>
      </NavLink>
    </li>
  );
}

const sentText = (message: Message) => momentText(message.created_at, new Date());

/** Along the lines by `j` and `k`; `/` to the filter; Escape back to the line that is shown. */
function useListKeys(list: RefObject<HTMLOListElement | null>): void {
  const { id } = useParams();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const lines = () => [...(list.current?.querySelectorAll('a') ?? [])];
  const chosen = () => lines().findIndex(({ ariaCurrent }) => ariaCurrent === 'page');
  const step = (by: 1 | -1) => {
    const line = lines()[chosen() + by];
    line?.click();
    line?.focus();
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '/': focusFilter,
    Escape: () => {
      const line = lines()[chosen()];
      if (id !== undefined) void navigate({ pathname: '/mail', search: parameters.toString() });
      requestAnimationFrame(() => line?.focus());
    },
  });
}

function Clear({ total, onClose }: { total: number; onClose: () => void }) {
  const branch = useBranch();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const clear = useMutation({
    mutationFn: () => call(branch, '/messages', { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: messageKeys.all(branch) });
      onClose();
      void navigate({ pathname: '/mail', search: parameters.toString() });
    },
  });
  return (
    <Confirm title="Delete all messages?" action="Delete all" mutation={clear} onClose={onClose}>
      <p>
        {total === 1 ? 'The one message' : `All ${total} messages`} of {branch} will be gone. The accounts
        they are about stay.
      </p>
    </Confirm>
  );
}
