/** The seal with its evidence behind it: what was checked, and when. */
import { Check } from 'lucide-react';
import { seal } from '@/copy/posts';
import { cn } from '@/lib/class-names';
import { formatDay } from '@/lib/format';
import { HelpPopover } from './ui/help-popover';
import { SealMark } from './seal-mark';

interface VerifiedSealProps {
  label?: string;
  verifiedAt?: string | null | undefined;
  /** On a phone the mark alone, where a name needs the room. */
  isShort?: boolean;
}

// PR2-002
export function VerifiedSeal({ label = seal.short, verifiedAt, isShort = false }: VerifiedSealProps) {
  return (
    <HelpPopover
      label={seal.evidence}
      trigger={
        <button
          type="button"
          className="touch-target inline-flex min-h-6 items-center gap-1 rounded-control text-small font-semibold text-verified hover:underline hover:underline-offset-4"
        >
          <SealMark className="size-4" />
          <span className={cn(isShort && 'max-sm:sr-only')}>{label}</span>
        </button>
      }
    >
      <p className="mb-2 text-label text-muted-foreground">{seal.evidence}</p>
      <ul className="space-y-1">
        {seal.checks.map((check) => (
          <li key={check} className="flex items-center gap-2">
            <Check aria-hidden className="size-4" />
            {check}
          </li>
        ))}
      </ul>
      {verifiedAt && (
        <p className="mt-3 border-t pt-2 text-muted-foreground">
          {seal.since} {formatDay(verifiedAt)}
        </p>
      )}
    </HelpPopover>
  );
}
