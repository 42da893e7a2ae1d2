import { LoaderCircle } from 'lucide-react';
import { app } from '@/copy/app';

export function LoadingScreen({ text = app.loading }: { text?: string }) {
  return (
    <div
      role="status"
      className="grid min-h-[60vh] place-content-center justify-items-center gap-3 text-muted-foreground"
    >
      <LoaderCircle aria-hidden className="size-6 animate-spin" />
      {text}
    </div>
  );
}
