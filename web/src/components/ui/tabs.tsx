import { Tabs as TabsPrimitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

export const Tabs = TabsPrimitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof TabsPrimitive.List>) {
  return <TabsPrimitive.List className={cn('flex border-b', className)} {...props} />;
}

/** The primitive gives the focus by itself, which the browser takes for the keyboard: a press would leave a ring. */
export function TabsTrigger({ className, ...props }: ComponentProps<typeof TabsPrimitive.Trigger>) {
  return (
    <TabsPrimitive.Trigger
      className={cn(
        '-mb-px min-h-11 flex-1 border-b-2 border-transparent px-4 font-semibold text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2 data-pressed:outline-none data-[state=active]:border-primary data-[state=active]:text-foreground',
        className,
      )}
      {...props}
      onPointerDown={(event) => (event.currentTarget.dataset.pressed = '')}
      onBlur={(event) => delete event.currentTarget.dataset.pressed}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof TabsPrimitive.Content>) {
  return <TabsPrimitive.Content className={cn('pt-6', className)} {...props} />;
}
