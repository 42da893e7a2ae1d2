import { LogOut } from 'lucide-react';
import type { RefObject } from 'react';
import { app } from '@/copy/app';
import { useTheme, type ThemeChoice } from '@/hooks/use-theme';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu';

interface OpenAccountMenuProps {
  /** The button, inside a box that this fills: the menu hangs below it. */
  opener: RefObject<HTMLButtonElement | null>;
  /** Its id, by which the menu is called. */
  label: string;
  isOpen: boolean;
  onClose: () => void;
  onSignOut: () => void;
}

/** Stays from the first time on, also while it is closed: the primitive has to hear whether keys or a mouse opened it. */
export function OpenAccountMenu({ opener, label, isOpen, onClose, onSignOut }: OpenAccountMenuProps) {
  return (
    <DropdownMenu open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenuTrigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="end"
        aria-labelledby={label}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          opener.current?.focus({ preventScroll: true });
        }}
      >
        <ThemeItems />
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={onSignOut}>
          <LogOut aria-hidden />
          {app.signOut}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function ThemeItems() {
  const { choice, setChoice } = useTheme();
  return (
    <>
      <DropdownMenuLabel>{app.theme.label}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={choice} onValueChange={(value) => setChoice(value as ThemeChoice)}>
        {(['light', 'dark', 'system'] as const).map((value) => (
          <DropdownMenuRadioItem key={value} value={value}>
            {app.theme[value]}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </>
  );
}
