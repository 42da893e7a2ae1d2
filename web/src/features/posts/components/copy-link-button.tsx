/** Hands the address of a car on: every member opens it in their own area. */
import { Link2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { errors } from '@/copy/errors';
import { offerLink as copy } from '@/copy/offers';
import { toastError, toastSuccess } from '@/lib/toast';

export function CopyLinkButton({ postId }: { postId: string }) {
  const address = window.location.origin + paths.car(postId);
  const copyAddress = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toastSuccess(copy.copied.title, copy.copied.text);
    } catch {
      toastError(errors.title, `${copy.copyFailed}: ${address}`);
    }
  };
  return (
    <Button variant="outline" size="small" onClick={() => void copyAddress()}>
      <Link2 aria-hidden />
      {copy.copy}
    </Button>
  );
}
