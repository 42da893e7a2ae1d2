/** What each side of a dispute says, oldest first, and the files beside it. */
import { FileButton } from '@/components/file-button';
import { disputes } from '@/copy/reports';
import { cn } from '@/lib/class-names';
import { formatDay, formatTime } from '@/lib/format';
import { evidenceAddressOf } from '../data/dispute-mutations';
import { piecesOf, type Statement } from '../data/disputes-query';

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
              <FileButton
                title={piece.title}
                label={copy.openFile(piece.title)}
                failed={copy.fileFailed}
                addressOf={() => evidenceAddressOf(piece.path)}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
