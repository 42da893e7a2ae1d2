/** The navigation of a phone: the button in the bar, and behind it the drawer, which comes when the browser rests. */
import { Menu } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { navigation } from '@/copy/navigation';
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';
import { Button } from '../ui/button';
import { Opener } from '../ui/opener';
import type { NavigationEntry } from './side-navigation';

const openDrawer = late(() => import('./open-drawer'));

interface DrawerProps {
  label: string;
  /** Shows on the button that opens the drawer, which hides the entry. */
  waiting: NavigationEntry['waiting'];
  children: ReactNode;
}

export function Drawer({ label, waiting, children }: DrawerProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const module = useLateOpening(openDrawer, isOpen, close);
  return (
    <>
      <Opener opens="dialog" isOpen={isOpen} isComing={isOpen && !module} onPress={() => setOpen(true)}>
        <Button
          variant="ghost"
          size="icon"
          aria-label={waiting ? `${navigation.open}, ${waiting.count} ${waiting.label}` : navigation.open}
          className="relative"
        >
          <Menu aria-hidden />
          {waiting && <span aria-hidden className="absolute top-2 right-2 size-2.5 rounded-full bg-accent" />}
        </Button>
      </Opener>
      {isOpen && module && (
        <module.OpenDrawer label={label} onClose={close}>
          {children}
        </module.OpenDrawer>
      )}
    </>
  );
}
