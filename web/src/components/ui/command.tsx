/** A list that is searched by typing and walked by the arrow keys; the focus stays in the field. */
import { Command as CommandPrimitive } from 'cmdk';
import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

export const Command = CommandPrimitive;

export function CommandInput(props: ComponentProps<typeof CommandPrimitive.Input>) {
  return (
    <div className="focus-within:outline-ring flex items-center gap-2 border-b px-3 focus-within:outline-2 focus-within:-outline-offset-2">
      <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <CommandPrimitive.Input
        className="h-11 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted-foreground"
        {...props}
      />
    </div>
  );
}

export function CommandList({ className, ...props }: ComponentProps<typeof CommandPrimitive.List>) {
  return (
    <CommandPrimitive.List className={cn('overflow-y-auto overscroll-contain p-1', className)} {...props} />
  );
}

export function CommandEmpty(props: ComponentProps<typeof CommandPrimitive.Empty>) {
  return <CommandPrimitive.Empty className="px-3 py-3 text-muted-foreground" {...props} />;
}

export function CommandItem({ className, ...props }: ComponentProps<typeof CommandPrimitive.Item>) {
  return (
    <CommandPrimitive.Item
      className={cn(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 data-[selected=true]:bg-muted',
        className,
      )}
      {...props}
    />
  );
}
