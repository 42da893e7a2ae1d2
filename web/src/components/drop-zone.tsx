/** A frame that takes a file: all of it one that is dropped, and its button opens the dialog. */
import { Upload } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { Button } from './ui/button';
import { documents as copy } from '@/copy/onboarding';
import { cn } from '@/lib/class-names';

interface DropZoneProps {
  invalid: boolean;
  disabled: boolean;
  onDrop: (file: File | undefined) => void;
  children: ReactNode;
}

export function DropZone({ invalid, disabled, onDrop, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) onDrop(event.dataTransfer.files[0]);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex flex-1 flex-col justify-between gap-3 rounded-control border border-dashed border-input bg-background p-3',
        invalid && 'border-destructive',
        isOver && 'border-solid border-primary bg-secondary',
      )}
    >
      {children}
    </div>
  );
}

interface FileButtonProps {
  label: string;
  accept: string;
  replaces: boolean;
  disabled: boolean;
  onChoose: (file: File | undefined) => void;
}

export function FileButton({ label, accept, replaces, disabled, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button variant="outline" size="small" disabled={disabled} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {replaces ? copy.replace : copy.choose}
        <span className="sr-only">: {label}</span>
      </Button>
      <span aria-hidden className="text-small text-muted-foreground pointer-coarse:hidden">
        {copy.drop}
      </span>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </div>
  );
}
