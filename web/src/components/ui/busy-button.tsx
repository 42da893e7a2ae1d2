/** A button that says what it is doing, keeps its width while it does, and takes a double press for one. */
import type { ComponentProps, MouseEvent } from 'react';
import { useOnePress } from '@/hooks/use-one-press';
import { cn } from '@/lib/class-names';
import { Button } from './button';

interface BusyButtonProps extends ComponentProps<typeof Button> {
  busy: boolean;
  busyText: string;
}

export function BusyButton({ busy, busyText, children, disabled, onClick, ...props }: BusyButtonProps) {
  const takePress = useOnePress();
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (takePress()) onClick?.(event);
    else event.preventDefault();
  };
  return (
    <Button aria-busy={busy} disabled={disabled === true || busy} onClick={press} {...props}>
      <span className="grid place-items-center">
        <Layer hidden={busy}>{children}</Layer>
        <Layer hidden={!busy}>{busyText}</Layer>
      </span>
    </Button>
  );
}

function Layer({ hidden, children }: { hidden: boolean; children: ComponentProps<'span'>['children'] }) {
  return (
    <span className={cn('col-start-1 row-start-1 inline-flex items-center gap-2', hidden && 'invisible')}>
      {children}
    </span>
  );
}
