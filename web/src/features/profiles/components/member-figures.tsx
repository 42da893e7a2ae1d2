/** Deals and the time an answer takes; gaps are shown. */
import { useQuery } from '@tanstack/react-query';
import { publicProfile as copy } from '@/copy/profiles';
import { memberFiguresQueryOptions } from '../data/member-figures-query';

export function MemberFigures({ userId }: { userId: string }) {
  const { data, error } = useQuery(memberFiguresQueryOptions(userId));
  if (error) return null;
  const figures = [
    [copy.completed, data?.completed_deals],
    [copy.open, data?.open_deals],
    [copy.response, data?.response_time?.replace(/^[WM]/, (letter) => letter.toLowerCase())],
  ] as const;
  return (
    <dl aria-label={copy.figures} aria-busy={data === undefined} className="divide-y border-t text-small">
      {figures.map(([label, value]) => (
        <div key={label} className="flex min-h-11 items-center justify-between gap-4 px-4 py-2">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd className="text-right figures">{value ?? copy.gap}</dd>
        </div>
      ))}
    </dl>
  );
}
