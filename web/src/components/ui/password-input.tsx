import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { fields } from '@/copy/auth';
import { Input } from './input';

export function PasswordInput(props: ComponentProps<typeof Input>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-12" />
      <button
        type="button"
        aria-label={fields.showPassword}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2"
      >
        <Icon aria-hidden className="size-5" />
      </button>
    </div>
  );
}
