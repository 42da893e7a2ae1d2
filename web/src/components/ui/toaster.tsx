import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { toast, Toaster as Sonner } from 'sonner';
import { app } from '@/copy/app';
import { useIsPhone } from '@/hooks/use-media-query';
import { useTheme } from '@/hooks/use-theme';
import { openToasts } from '@/lib/toast';
import 'sonner/dist/styles.css';

export function Toaster() {
  const { isDark } = useTheme();
  const isPhone = useIsPhone();
  // After sonner's own effect, which listens from then on.
  useEffect(() => openToasts(toast), []);
  return (
    <Sonner
      theme={isDark ? 'dark' : 'light'}
      // On a phone the upper edge holds the logo, the title and what a form complains about.
      position={isPhone ? 'bottom-center' : 'top-right'}
      mobileOffset={{ bottom: 'max(5.5rem, env(safe-area-inset-bottom))' }}
      visibleToasts={3}
      closeButton
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: app.dismiss,
        classNames: {
          toast:
            'flex w-full items-start gap-3 rounded-card border bg-card p-4 pr-10 font-sans text-base text-foreground shadow-overlay sm:w-[356px]',
          title: 'font-semibold leading-normal',
          description: 'text-muted-foreground! leading-normal',
          icon: 'mt-1',
          error: 'border-l-4 border-l-destructive',
          closeButton:
            'touch-target absolute! top-2 right-2 grid size-7 place-items-center rounded-control bg-transparent! text-muted-foreground hover:bg-muted!',
        },
      }}
      icons={{
        success: <CircleCheck aria-hidden className="size-4 text-success" />,
        error: <CircleAlert aria-hidden className="size-4 text-destructive" />,
      }}
    />
  );
}
