/** One to five stars, as a group of radio buttons. */
import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { reviews } from '@/copy/reviews';
import { StarMark } from '../star-rating';
import { FieldError } from '../ui/field';

const STARS = [1, 2, 3, 4, 5] as const;

interface StarChoiceProps {
  label: string;
  /** 0 while nothing is chosen. */
  value: number;
  onChange: (stars: number) => void;
  error?: string | undefined;
}

export function StarChoice({ label, value, onChange, error }: StarChoiceProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-label text-muted-foreground">
        {label}
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        aria-invalid={error !== undefined}
        value={String(value)}
        onValueChange={(next) => onChange(Number(next))}
        className="flex gap-1"
      >
        {STARS.map((star) => (
          <RadioGroup.Item
            key={star}
            value={String(star)}
            aria-label={reviews.stars(star)}
            className="grid size-11 place-items-center rounded-control hover:bg-muted"
          >
            <StarMark part={star <= value ? 1 : 0} className="size-7" />
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <FieldError message={error} />
    </div>
  );
}
