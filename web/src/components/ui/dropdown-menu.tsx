import { Check } from 'lucide-react';
import { DropdownMenu as Menu } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

export const DropdownMenuTrigger = Menu.Trigger;
export const DropdownMenuRadioGroup = Menu.RadioGroup;

/** The page behind an open menu stays readable: a menu is no dialog. */
export function DropdownMenu(props: ComponentProps<typeof Menu.Root>) {
  return <Menu.Root modal={false} {...props} />;
}

const itemClasses =
  'flex min-h-11 items-center gap-2 rounded-control px-3 text-base outline-none select-none data-[disabled]:opacity-55 data-[highlighted]:bg-muted sm:min-h-10 [&_svg]:size-4 [&_svg]:shrink-0';

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Menu.Content>) {
  return (
    // within the main landmark: what is open is a part of the page
    <Menu.Portal container={document.querySelector('main')}>
      <Menu.Content
        sideOffset={6}
        collisionPadding={12}
        className={cn(
          'z-50 min-w-56 rounded-card border bg-card p-1.5 text-foreground shadow-overlay',
          className,
        )}
        {...props}
      />
    </Menu.Portal>
  );
}

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Menu.Item>) {
  return <Menu.Item className={cn(itemClasses, className)} {...props} />;
}

export function DropdownMenuRadioItem({
  className,
  children,
  ...props
}: ComponentProps<typeof Menu.RadioItem>) {
  return (
    <Menu.RadioItem className={cn(itemClasses, 'justify-between', className)} {...props}>
      {children}
      <Menu.ItemIndicator>
        <Check aria-hidden />
      </Menu.ItemIndicator>
    </Menu.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Menu.Label>) {
  return (
    <Menu.Label className={cn('px-3 pt-2 pb-1 text-label text-muted-foreground', className)} {...props} />
  );
}

/** A sentence between the entries. */
export function DropdownMenuNote({ className, ...props }: ComponentProps<typeof Menu.Label>) {
  return <Menu.Label className={cn('px-3 py-2 text-small text-muted-foreground', className)} {...props} />;
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof Menu.Separator>) {
  return <Menu.Separator className={cn('my-1.5 border-t', className)} {...props} />;
}
