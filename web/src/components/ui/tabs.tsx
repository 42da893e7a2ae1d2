/**
 * Tabs as the W3C's authoring practices describe them: the chosen one is in the order of focus, arrows, Home and End
 * lead to the others, and the one with the focus is the chosen one.
 */
import {
  createContext,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type KeyboardEvent,
} from 'react';
import { cn } from '@/lib/class-names';

interface TabsState {
  id: string;
  chosen: string;
  choose: (value: string) => void;
}

const TabsContext = createContext<TabsState>({ id: '', chosen: '', choose: () => undefined });

interface TabsProps extends ComponentProps<'div'> {
  value: string;
  onValueChange: (value: string) => void;
}

export function Tabs({ value: chosen, onValueChange, ...props }: TabsProps) {
  const id = useId();
  const choose = (value: string) => {
    if (value !== chosen) onValueChange(value);
  };
  return (
    <TabsContext value={{ id, chosen, choose }}>
      <div {...props} />
    </TabsContext>
  );
}

/** Where not all have room, as on a phone, the chosen one is in the middle, also once counts have made tabs wider. */
export function TabsList({ className, ...props }: ComponentProps<'div'>) {
  const list = useRef<HTMLDivElement>(null);
  const placed = useRef('');
  const { chosen } = useContext(TabsContext);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]');
    if (!list.current || !tab || placed.current === `${chosen} ${list.current.scrollWidth}`) return;
    placed.current = `${chosen} ${list.current.scrollWidth}`;
    list.current.scrollLeft += middleOf(tab) - middleOf(list.current);
  });
  return (
    <div
      ref={list}
      role="tablist"
      className={cn('flex border-b', className)}
      onKeyDown={moveFocus}
      {...props}
    />
  );
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

interface OfOneTab {
  value: string;
}

export function TabsTrigger({ value, className, ...props }: ComponentProps<'button'> & OfOneTab) {
  const { id, chosen, choose } = useContext(TabsContext);
  const isChosen = value === chosen;
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-tab-${value}`}
      aria-controls={`${id}-panel-${value}`}
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      // With the button going down, not up; some browsers do not move the focus then. A focus that is given may leave
      // the keyboard's ring: a press shows none.
      onMouseDown={(event) => {
        if (event.button === 0 && !event.ctrlKey) event.currentTarget.focus();
        else event.preventDefault();
      }}
      onPointerDown={(event) => (event.currentTarget.dataset.pressed = '')}
      onBlur={(event) => delete event.currentTarget.dataset.pressed}
      onFocus={() => choose(value)}
      onClick={() => choose(value)}
      className={cn(
        '-mb-px min-h-11 flex-1 border-b-2 border-transparent px-4 font-semibold text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2 aria-selected:border-primary aria-selected:text-foreground data-pressed:outline-none',
        className,
      )}
      {...props}
    />
  );
}

/** Empty while another tab is chosen. */
export function TabsContent({ value, className, children, ...props }: ComponentProps<'div'> & OfOneTab) {
  const { id, chosen } = useContext(TabsContext);
  const isChosen = value === chosen;
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      hidden={!isChosen}
      tabIndex={0}
      className={cn('pt-6', className)}
      {...props}
    >
      {isChosen && children}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.findIndex((tab) => tab === event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  tabs.at(to % tabs.length)?.focus();
}
