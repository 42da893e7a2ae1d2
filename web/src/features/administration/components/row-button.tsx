import type { ReactNode } from 'react';

interface RowButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** The button's own area is the whole row. */
export function RowButton({ label, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="max-w-full truncate text-left font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary"
    >
      {children}
    </button>
  );
}
