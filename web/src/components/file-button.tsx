/** A file of a closed bucket: its address is asked for with the press, and the file opens in a tab of its own. */
import { FileText } from 'lucide-react';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { useMutation } from '@/lib/use-mutation';
import { Button } from './ui/button';

interface FileButtonProps {
  title: string;
  label: string;
  failed: string;
  addressOf: () => Promise<string>;
}

/** The window is opened with the press: one that opens later would be blocked. */
export function FileButton({ title, label, failed, addressOf }: FileButtonProps) {
  const { mutate, isPending } = useMutation({ mutationFn: addressOf });
  const open = () => {
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null;
    mutate(undefined, {
      onSuccess: (address) => tab?.location.replace(address),
      onError: (error) => {
        tab?.close();
        toastError(failed, messageOf(error));
      },
    });
  };
  return (
    <Button
      variant="outline"
      size="small"
      aria-label={label}
      aria-busy={isPending}
      onClick={open}
      className="max-w-full"
    >
      <FileText aria-hidden />
      <span dir="auto" className="truncate">
        {title}
      </span>
    </Button>
  );
}
