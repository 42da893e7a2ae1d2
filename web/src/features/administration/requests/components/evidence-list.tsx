/** What the two sides of a dispute handed in. A piece that was only named has nothing to open. */
import { FileButton } from '@/components/file-button';
import { adminRequests } from '@/copy/back-office-cases';
import { evidenceAddressOf, type Piece } from '../data/request-row';

const copy = adminRequests.sheet;

export function EvidenceList({ pieces }: { pieces: readonly Piece[] }) {
  if (pieces.length === 0) return <p className="text-muted-foreground">{copy.noEvidence}</p>;
  return (
    <ul className="flex flex-wrap gap-2">
      {pieces.map(({ title, kind, path }) => (
        <li key={path ?? title} className="max-w-full">
          {path === undefined ? (
            <NamedPiece title={title} kind={kind} />
          ) : (
            <FileButton
              title={title}
              label={copy.openFile(title)}
              failed={copy.fileFailed}
              addressOf={() => evidenceAddressOf(path)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function NamedPiece({ title, kind }: { title: string; kind: string }) {
  return (
    <span className="inline-flex min-h-9 items-center gap-2 rounded-control border px-3 text-small">
      <bdi>{title}</bdi> <span className="text-muted-foreground">{kind}</span>
    </span>
  );
}
