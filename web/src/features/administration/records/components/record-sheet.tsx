/** The details of a row, at the right of the list; on phones the whole screen. */
import type { ReactNode } from 'react';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { adminList as copy } from '@/copy/back-office';
import { cn } from '@/lib/class-names';

interface RecordSheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export function RecordSheet({ title, onClose, children }: RecordSheetProps) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent title={title} closeLabel={copy.close} side="right">
        {children}
      </SheetContent>
    </Sheet>
  );
}

interface RecordDetailsProps {
  subtitle?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** What stands in the sheet: the state above, the steps below. */
export function RecordDetails({ subtitle, actions, children }: RecordDetailsProps) {
  return (
    <>
      {subtitle && <div className="border-b p-4 text-muted-foreground sm:px-5">{subtitle}</div>}
      <div className="flex-1 space-y-6 p-4 sm:p-5">{children}</div>
      {actions && (
        <footer className="sticky bottom-0 flex flex-wrap gap-2 border-t bg-card px-4 py-3 max-sm:*:min-w-[calc(50%-0.25rem)] max-sm:*:flex-1 sm:px-5">
          {actions}
        </footer>
      )}
    </>
  );
}

export function SheetSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-3">
      <h3 className="text-label text-muted-foreground">{title}</h3>
      {children}
    </section>
  );
}

/** A label, its value, and whether it takes a line of its own. */
type Fact = readonly [label: string, value: ReactNode, width?: 'wide'];

/** Facts in ruled boxes; what is not known shows as a gap. */
export function Facts({ rows }: { rows: readonly Fact[] }) {
  const halves = rows.filter(([, , width]) => width !== 'wide').length;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-control border bg-border">
      {rows.map(([label, value, width], index) => (
        <div
          key={label}
          className={cn(
            'min-w-0 bg-card px-3 py-2',
            (width === 'wide' || (halves % 2 === 1 && index === rows.length - 1)) && 'col-span-2',
          )}
        >
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd dir="auto" className="text-left break-words figures">
            {value || copy.none}
          </dd>
        </div>
      ))}
    </dl>
  );
}
