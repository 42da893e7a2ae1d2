/** Who talks with whom and how much. Contents open only where a participant reported the conversation. */
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { BusyButton } from '@/components/ui/busy-button';
import { decision } from '@/copy/back-office';
import { adminConversations as copy, adminTickets } from '@/copy/back-office-cases';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import type { Column } from '@/features/administration/records/components/record-row';
import {
  Facts,
  RecordDetails,
  SheetSection,
} from '@/features/administration/records/components/record-sheet';
import { useRecordList } from '@/features/administration/records/use-record-list';
import { messageOf } from '@/lib/errors';
import { formatDay } from '@/lib/format';
import { toastError } from '@/lib/toast';
import { conversationRecords } from '../conversation-records';
import { useOpenConversation, type ConversationRow } from '../data/conversation';
import { Said } from './ticket-details';

export function ConversationList() {
  const { listProps, openedProps } = useRecordList(conversationRecords);
  return (
    <div className="space-y-4">
      <Alert tone="info" text={copy.privacy} />
      <RecordList
        {...listProps}
        caption={copy.list}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        nameOf={namesOf}
      />
      <OpenedRow {...openedProps} titleOf={namesOf}>
        {(conversation) => <ConversationDetails conversation={conversation} />}
      </OpenedRow>
    </div>
  );
}

const nameOf = (row: ConversationRow, index: 0 | 1) =>
  row.participants[index].full_name ?? adminTickets.unknown;
const namesOf = (row: ConversationRow) => `${nameOf(row, 0)} – ${nameOf(row, 1)}`;

const COLUMNS: readonly Column<ConversationRow>[] = [
  { label: copy.columns.participants, order: 'participants', cell: namesOf },
  { label: copy.columns.messages, order: 'messages', isFigure: true, cell: (row) => row.messages },
  { label: copy.columns.unread, order: 'unread', isFigure: true, cell: (row) => row.unread },
  { label: copy.columns.last, order: 'last', cell: (row) => formatDay(row.last_at) },
  {
    label: copy.columns.report,
    order: 'report',
    cell: (row) =>
      row.report_id ? (
        <Badge tone="danger">{copy.reported}</Badge>
      ) : (
        <span className="text-muted-foreground">{copy.notReported}</span>
      ),
  },
];

function ConversationDetails({ conversation }: { conversation: ConversationRow }) {
  const { report_id: report, report_reason: reason } = conversation;
  return (
    <RecordDetails>
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
    </RecordDetails>
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
          onClick={() =>
            mutate(report, { onError: (error) => toastError(decision.failed, messageOf(error)) })
          }
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
