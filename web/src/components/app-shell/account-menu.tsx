/** Who is signed in; behind the button the theme and the way out, whose menu comes when the browser rests. */
import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { navigation } from '@/copy/navigation';
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';
import { SealMark } from '../seal-mark';
import { Avatar } from '../ui/avatar';
import { Opener } from '../ui/opener';

const openAccountMenu = late(() => import('./open-account-menu'));

export interface AccountSummary {
  name: string;
  avatarUrl: string | null | undefined;
  /** Where the person is, fallbacks included: one or two parts. */
  place: readonly string[];
  isVerified: boolean;
}

export function AccountMenu({ account, onSignOut }: { account: AccountSummary; onSignOut: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const open = () => setOpen(true);
  const close = () => setOpen(false);
  const module = useLateOpening(openAccountMenu, isOpen, close);
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    open();
  };
  return (
    <div className="relative">
      <Opener ref={button} opens="menu" isOpen={isOpen} isComing={isOpen && !module} onPress={open}>
        <button
          type="button"
          id={id}
          onKeyDown={openByArrow}
          className="relative flex min-h-11 items-center gap-3 rounded-control px-2 text-left hover:bg-muted"
        >
          <AccountLine account={account} />
        </button>
      </Opener>
      {module && (
        <module.OpenAccountMenu
          opener={button}
          label={id}
          isOpen={isOpen}
          onClose={close}
          onSignOut={onSignOut}
        />
      )}
    </div>
  );
}

function AccountLine({ account }: { account: AccountSummary }) {
  return (
    <>
      <span className="sr-only">{navigation.userMenu}: </span>
      <span className="max-w-36 min-w-0 text-right leading-tight sm:max-w-64">
        <span className="flex items-center justify-end gap-1">
          <span dir="auto" className="truncate text-left font-semibold">
            {account.name}
          </span>
          {account.isVerified && <Verified />}
        </span>
        <span dir="auto" className="block truncate text-right text-small text-muted-foreground">
          {account.place.join(', ')}
        </span>
      </span>
      <Avatar name={account.name} src={account.avatarUrl} className="size-9" />
      <ChevronDown aria-hidden className="hidden size-4 text-muted-foreground sm:block" />
    </>
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
