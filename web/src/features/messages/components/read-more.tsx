/** The button that reads a list on, and why that failed. */
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { app } from '@/copy/app';
import { messageOf } from '@/lib/errors';

interface ReadMoreProps {
  list: { hasMore: boolean; isReadingMore: boolean; moreError: Error | null; readMore: () => void };
  label: string;
  onPress?: () => void;
}

export function ReadMore({ list, label, onPress }: ReadMoreProps) {
  if (!list.hasMore) return null;
  const press = () => {
    list.readMore();
    onPress?.();
  };
  return (
    <div className="flex flex-col items-center gap-3 py-3">
      {list.moreError && <Alert text={messageOf(list.moreError)} />}
      <Button
        size="small"
        variant="outline"
        onClick={press}
        aria-busy={list.isReadingMore}
        className="aria-busy:opacity-55"
      >
        {list.moreError ? app.tryAgain : label}
      </Button>
    </div>
  );
}
