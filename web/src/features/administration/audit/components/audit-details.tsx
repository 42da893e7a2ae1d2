/** One entry of the record, with the way to what it is about. */
import { Link } from 'react-router-dom';
import { audit as copy } from '@/copy/back-office-audit';
import { Facts, RecordDetails } from '@/features/administration/records/components/record-sheet';
import { formatDay, formatTime } from '@/lib/format';
import { actionOf, detailsOf, targetOf, placeOf } from '../audit-details';
import type { AuditRow } from '../data/audit';

export function AuditDetails({ entry }: { entry: AuditRow }) {
  const place = placeOf(entry);
  return (
    <RecordDetails>
      <Facts
        rows={[
          [copy.columns.when, `${formatDay(entry.created_at)}, ${formatTime(entry.created_at)}`],
          [copy.columns.what, actionOf(entry)],
          [copy.columns.who, entry.administrator ?? copy.unknown, 'wide'],
          [copy.columns.target, targetOf(entry), 'wide'],
          ...detailsOf(entry).map(([name, value]) => [capital(name), value, 'wide'] as const),
        ]}
      />
      {place && (
        <Link
          to={place}
          className="touch-target inline-block font-semibold text-primary underline underline-offset-4"
        >
          {copy.openTarget}
        </Link>
      )}
    </RecordDetails>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
