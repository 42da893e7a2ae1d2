/** On top of every view: which branch, whether its time and its answers are as usual, and whether the line stands. */
import { Search } from 'lucide-react';
import { cn } from '@/lib/class-names';
import { useJournal } from '../dev/use-branch';
import { Button } from '../parts/button';
import { BranchChoice } from './branch-choice';
import { ClockChip } from './clock-chip';
import { FaultChip } from './fault-chip';

export function Bar({ onPalette }: { onPalette: () => void }) {
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-card px-3 py-1.5 md:col-span-2">
      <h1 className="text-h3">Minato</h1>
      <BranchChoice />
      <ClockChip />
      <FaultChip />
      <div className="ml-auto flex items-center gap-3">
        <LiveDot />
        <Button onClick={onPalette} aria-keyshortcuts="Control+K Meta+K" title="Ctrl-K or ⌘K">
          <Search aria-hidden />
          Go to
        </Button>
      </div>
    </header>
  );
}

const WORDS = { connecting: 'Connecting', live: 'Live', lost: 'No answer', refused: 'Refused' } as const;

function LiveDot() {
  const { line } = useJournal();
  const tone = line === 'live' ? 'bg-success' : line === 'connecting' ? 'bg-input' : 'bg-destructive';
  return (
    <span role="status" className="flex items-center gap-1.5 text-[0.8125rem] text-muted-foreground">
      <span aria-hidden className={cn('size-2 rounded-[50%]', tone)} />
      {WORDS[line]}
    </span>
  );
}
