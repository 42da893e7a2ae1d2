/** A price never stands without its basis. */
import { CircleHelp } from 'lucide-react';
import { price } from '@/copy/posts';
import { formatPrice } from '@/lib/format';
import { HelpPopover } from './ui/help-popover';

export function PriceTag({ amount }: { amount: number | null }) {
  if (amount === null) return <p className="text-muted-foreground">{price.unknown}</p>;
  return (
    <p className="flex items-center gap-1.5">
      <span className="font-heading text-2xl leading-8 font-[650] [font-stretch:100%] figures">
        <span className="mr-1.5 text-label text-muted-foreground">{price.basis}</span>
        {formatPrice(amount)}
      </span>
      <HelpPopover
        label={price.helpLabel}
        trigger={
          <button
            type="button"
            aria-label={price.helpLabel}
            className="touch-target grid size-7 place-items-center rounded-control text-muted-foreground hover:bg-muted"
          >
            <CircleHelp aria-hidden className="size-4" />
          </button>
        }
      >
        {price.help}
      </HelpPopover>
    </p>
  );
}
