import type { ReactNode } from 'react';
import { navigation } from '@/copy/navigation';
import { Brand } from '../brand';
import { Sheet, SheetContent } from '../ui/sheet';

interface OpenDrawerProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** Any press inside that follows a link closes the drawer again. */
export function OpenDrawer({ label, onClose, children }: OpenDrawerProps) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent title={label} closeLabel={navigation.close} startsAtClose>
        <div className="flex h-14 shrink-0 items-center border-b px-5">
          <Brand />
        </div>
        <div className="flex flex-1 flex-col" onClick={(event) => closesDrawer(event.target) && onClose()}>
          {children}
        </div>
      </SheetContent>
    </Sheet>
  );
}

function closesDrawer(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null;
}
