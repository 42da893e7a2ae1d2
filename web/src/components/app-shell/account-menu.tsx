/** Who is signed in, the theme and the way out. */
import { ChevronDown, LogOut } from 'lucide-react';
import { app } from '@/copy/app';
import { navigation } from '@/copy/navigation';
import { useTheme, type ThemeChoice } from '@/hooks/use-theme';
import { SealMark } from '../seal-mark';
import { Avatar } from '../ui/avatar';
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

export interface AccountSummary {
  name: string;
  avatarUrl: string | null | undefined;
  /** Where the person is, fallbacks included: one or two parts. */
  place: readonly string[];
  isVerified: boolean;
}

export function AccountMenu({ account, onSignOut }: { account: AccountSummary; onSignOut: () => void }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex min-h-11 items-center gap-3 rounded-control px-2 text-left hover:bg-muted">
        <span className="sr-only">{navigation.userMenu}: </span>
        <span className="max-w-36 min-w-0 text-right leading-tight sm:max-w-64">
          <span className="flex items-center justify-end gap-1">
            <span dir="auto" className="truncate text-left font-semibold">
              {account.name}
            </span>
            {account.isVerified && <Verified />}
          </span>
          <span dir="auto" className="block truncate text-left text-small text-muted-foreground">
            {account.place.join(', ')}
          </span>
        </span>
        <Avatar name={account.name} src={account.avatarUrl} className="size-9" />
        <ChevronDown aria-hidden className="hidden size-4 text-muted-foreground sm:block" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
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

function Verified() {
  return (
    <>
      <SealMark className="size-4" />
      <span className="sr-only">{navigation.verified}</span>
    </>
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
