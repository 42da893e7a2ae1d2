/** The seal itself: the only blue on any screen. */
import { cn } from '@/lib/class-names';

export function SealMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden className={cn('size-5 text-verified', className)}>
      <path
        fill="currentColor"
        d="M10 .800l2.300 1.700 2.800-.200 1 2.700 2.400 1.500-.700 2.800.700 2.800-2.400 1.500-1 2.700-2.800-.200L10 17.800l-2.300-1.700-2.800.200-1-2.700-2.400-1.500.700-2.800-.700-2.800 2.400-1.500 1-2.700 2.800.200z"
        transform="translate(0 .7)"
      />
      <path
        fill="none"
        className="stroke-card"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M6.400 10.200l2.500 2.500 4.800-5.100"
      />
    </svg>
  );
}
