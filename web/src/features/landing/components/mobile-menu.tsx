import type { ReactNode } from 'react';
import { Brand } from '@/components/brand';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { landing } from '@/copy/landing';
import { anchors } from '../header';

/** The phone's menu: the whole screen, anchors first, then the way in. */
export function MobileMenu({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent title={landing.nav.menu} closeLabel={landing.nav.closeMenu} side="full" startsAtClose>
        <div className="flex h-16 shrink-0 items-center border-b px-4">
          <Brand />
        </div>
        <nav aria-label={landing.nav.label} className="px-4">
          <ul className="divide-y">
            {anchors.map(([href, text]) => (
              <li key={href}>
                <a href={href} onClick={onClose} className="flex min-h-14 items-center text-h3">
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="mt-auto flex flex-col gap-3 border-t p-4">{children}</div>
      </SheetContent>
    </Sheet>
  );
}
