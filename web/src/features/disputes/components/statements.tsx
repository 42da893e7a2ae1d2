/** What each side of a dispute says, oldest first, and the files beside it. */
import { FileText } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { disputes } from '@/copy/reports';
import { cn } from '@/lib/class-names';
import { messageOf } from '@/lib/errors';
import { formatDay, formatTime } from '@/lib/format';
import { toastError } from '@/lib/toast';
import { useFileAddress } from '../data/dispute-mutations';
import { piecesOf, type Piece, type Statement } from '../data/disputes-query';

const copy = disputes.sheet;

interface StatementsProps {
  statements: Statement[];
  userId: string;
  otherName: string;
}

export function Statements({ statements, userId, otherName }: StatementsProps) {
  if (statements.length === 0) return <p className="text-muted-foreground">{copy.none}</p>;
  const inOrder = statements.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  return (
    <ol className="space-y-3">
      {inOrder.map((statement) => (
        <Entry
          key={statement.id}
          statement={statement}
          who={statement.author_id === userId ? copy.you : otherName}
          isOwn={statement.author_id === userId}
        />
      ))}
    </ol>
  );
}

function Entry({ statement, who, isOwn }: { statement: Statement; who: string; isOwn: boolean }) {
  const pieces = piecesOf(statement);
  return (
    <li className={cn('rounded-card px-4 py-3', isOwn ? 'bg-secondary' : 'border bg-background')}>
      <p className="text-small">
        <bdi className="font-semibold">{who}</bdi>{' '}
        <span className="opacity-80">
          · {formatDay(statement.created_at)}, {formatTime(statement.created_at)}
        </span>
      </p>
      <p dir="auto" className="mt-1 break-words whitespace-pre-line">
        {statement.body}
      </p>
      {pieces.length > 0 && (
        <ul aria-label={copy.evidence} className="mt-3 flex flex-wrap gap-2">
          {pieces.map((piece) => (
            <li key={piece.path} className="max-w-full">
              <FileButton piece={piece} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The window is opened with the press: one that opens later would be blocked. */
function FileButton({ piece }: { piece: Piece }) {
  const { mutate, isPending } = useFileAddress();
  const open = () => {
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null;
    mutate(piece.path, {
      onSuccess: (address) => tab?.location.replace(address),
      onError: (error) => {
        tab?.close();
        toastError(copy.fileFailed, messageOf(error));
      },
    });
  };
  return (
    <Button
      variant="outline"
      size="small"
      aria-label={copy.openFile(piece.title)}
      aria-busy={isPending}
      onClick={open}
      className="max-w-full"
    >
      <FileText aria-hidden />
      <span dir="auto" className="truncate">
        {piece.title}
      </span>
    </Button>
  );
}
