import { Button } from './ui/button';
import { app } from '@/copy/app';

interface ShowMoreProps {
  hasMore: boolean;
  onPress: () => void;
  label?: string;
}

export function ShowMore({ hasMore, onPress, label = app.showMore }: ShowMoreProps) {
  if (!hasMore) return null;
  return (
    <div className="mt-5 flex justify-center">
      <Button variant="outline" onClick={onPress} className="w-full sm:w-auto">
        {label}
      </Button>
    </div>
  );
}
