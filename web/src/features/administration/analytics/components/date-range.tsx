/** The window the analytics look at: presets, or a first and a last day. */
import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { analytics as copy } from '@/copy/back-office-figures';
import { formatDay } from '@/lib/format';
import { lastDays, type Days } from '../data/analytics-query';

interface DateRangeProps {
  shown: Days | undefined;
  /** null asks for the server's own window. */
  onChange: (days: Days | null) => void;
}

const PRESETS = { month: 30, quarter: 90, year: 365 } as const;

export function DateRange({ shown, onChange }: DateRangeProps) {
  const [open, setOpen] = useState(false);
  const choose = (days: Days | null) => {
    onChange(days);
    setOpen(false);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="outline">
          <CalendarRange aria-hidden />
          {copy.range}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={copy.range} className="space-y-3">
        <div className="grid gap-2">
          <Button size="small" variant="secondary" onClick={() => choose(null)}>
            {copy.presets.default}
          </Button>
          {(Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((preset) => (
            <Button
              key={preset}
              size="small"
              variant="secondary"
              onClick={() => choose(lastDays(PRESETS[preset], new Date()))}
            >
              {copy.presets[preset]}
            </Button>
          ))}
        </div>
        {shown && <OwnDays shown={shown} onChoose={choose} />}
      </PopoverContent>
    </Popover>
  );
}

function OwnDays({ shown, onChoose }: { shown: Days; onChoose: (days: Days) => void }) {
  const [days, setDays] = useState(shown);
  const isBackwards = days.from > days.to;
  const isComplete = days.from !== '' && days.to !== '';
  return (
    <form
      className="space-y-3 border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(days);
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          label={copy[end]}
          error={end === 'to' && isComplete && isBackwards ? copy.invalid : undefined}
        >
          {(control) => (
            <Input
              {...control}
              type="date"
              value={days[end]}
              onChange={(event) => setDays({ ...days, [end]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Button type="submit" size="small" className="w-full" disabled={isBackwards || !isComplete}>
        {copy.apply}
      </Button>
    </form>
  );
}

export function WindowLine({ days }: { days: Days }) {
  return (
    <p className="text-muted-foreground figures">{copy.window(formatDay(days.from), formatDay(days.to))}</p>
  );
}
