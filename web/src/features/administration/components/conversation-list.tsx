/** Who talks with whom and how much. Contents open only where a participant reported the conversation. */
import { useQuery } from '@tanstack/react-query';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { BusyButton } from '@/components/ui/busy-button';
import { decision } from '@/copy/back-office';
import { adminConversations as copy, adminTickets } from '@/copy/back-office-cases';
import { formatDay } from '@/lib/format';
import { toastError } from '@/lib/toast';
import { useOpenConversation } from '../data/conversation-mutation';
import { conversationsQueryOptions, type ConversationRow } from '../data/lists';
import { useListAsk } from '../use-list-ask';
import { useOpenedRow } from '../use-opened-row';
import { RecordList } from './record-list';
import { Facts, RecordSheet, SheetSection } from './record-sheet';
import type { Column } from './record-table';
import { Said } from './ticket-sheet';

export function ConversationList() {
  const { typed, asked, onAsk } = useListAsk();
  const query = useQuery(conversationsQueryOptions(asked));
  const { row: conversation, open, close } = useOpenedRow(query, idOf);
  return (
    <div className="space-y-4">
      <Alert tone="info" text={copy.privacy} />
      <RecordList
        caption={copy.list}
        query={query}
        ask={typed}
        onAsk={onAsk}
        searchLabel={copy.search}
        columns={COLUMNS}
        idOf={idOf}
        nameOf={namesOf}
        onOpen={open}
      />
      {conversation && <ConversationSheet conversation={conversation} onClose={close} />}
    </div>
  );
}

const nameOf = (row: ConversationRow, index: 0 | 1) =>
  row.participants[index].full_name ?? adminTickets.unknown;
const namesOf = (row: ConversationRow) => `${nameOf(row, 0)} – ${nameOf(row, 1)}`;
const idOf = (row: ConversationRow) => row.participants.map((person) => person.user_id).join();

const COLUMNS: readonly Column<ConversationRow>[] = [
  { label: copy.columns.participants, by: namesOf, cell: namesOf },
  {
    label: copy.columns.messages,
    isFigure: true,
    by: (row) => row.messages,
    cell: (row) => row.messages,
  },
  { label: copy.columns.unread, isFigure: true, by: (row) => row.unread, cell: (row) => row.unread },
  { label: copy.columns.last, by: (row) => row.last_at, cell: (row) => formatDay(row.last_at) },
  {
    label: copy.columns.report,
    by: (row) => row.report_reason ?? '',
    cell: (row) =>
      row.report_id ? (
        <Badge tone="danger">{copy.reported}</Badge>
      ) : (
        <span className="text-muted-foreground">{copy.notReported}</span>
      ),
  },
];

interface ConversationSheetProps {
  conversation: ConversationRow;
  onClose: () => void;
}

function ConversationSheet({ conversation, onClose }: ConversationSheetProps) {
  const { report_id: report, report_reason: reason } = conversation;
  return (
    <RecordSheet title={namesOf(conversation)} onClose={onClose}>
      <Facts
        rows={[
          [copy.columns.messages, String(conversation.messages)],
          [copy.columns.unread, String(conversation.unread)],
          [copy.columns.last, formatDay(conversation.last_at)],
          [copy.reason, reason],
        ]}
      />
      {report ? (
        <Contents conversation={conversation} report={report} />
      ) : (
        <p className="text-muted-foreground">{copy.privacy}</p>
      )}
    </RecordSheet>
  );
}

function Contents({ conversation, report }: { conversation: ConversationRow; report: string }) {
  const { mutate, data, isPending } = useOpenConversation();
  const who = (id: string | null) =>
    conversation.participants.find((person) => person.user_id === id)?.full_name ?? adminTickets.unknown;
  if (!data) {
    return (
      <div className="space-y-3">
        <p>{copy.openAsk}</p>
        <BusyButton
          variant="outline"
          busy={isPending}
          busyText={decision.busy}
          onClick={() => mutate(report, { onError: (error) => toastError(decision.failed, error.message) })}
        >
          {copy.openReported}
        </BusyButton>
      </div>
    );
  }
  return (
    <SheetSection title={copy.contents}>
      <ol className="space-y-3">
        {data.messages.map((message) => (
          <Said
            key={message.id}
            who={who(message.sender_id)}
            at={message.created_at}
            text={message.content}
          />
        ))}
      </ol>
    </SheetSection>
  );
}
