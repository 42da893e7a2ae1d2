/** A button that says what it is doing and keeps its width while it does. */
import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';
import { Button } from './button';

interface BusyButtonProps extends ComponentProps<typeof Button> {
  busy: boolean;
  busyText: string;
}

export function BusyButton({ busy, busyText, children, disabled, ...props }: BusyButtonProps) {
  return (
    <Button aria-busy={busy} disabled={disabled === true || busy} {...props}>
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
