import { Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { myRequests as copy } from '@/copy/requests';
import { toastError, toastSuccess } from '@/lib/toast';
import type { OwnRequest } from '../data/own-requests-query';
import { useDeleteRequest } from '../data/request-mutations';

export function DeleteRequestButton({ request }: { request: OwnRequest }) {
  const { mutate, isPending } = useDeleteRequest();
  const car = `${request.car_make} ${request.car_model}`;
  const remove = () =>
    mutate(request.id, {
      onSuccess: () => toastSuccess(copy.deleted.title, copy.deleted.text),
      onError: () => toastError(copy.deleteFailed.title, copy.deleteFailed.text),
    });
  return (
    <ConfirmDialog
      trigger={
        <Button writes variant="outline" size="small" aria-busy={isPending} className="aria-busy:opacity-55">
          <Trash2 aria-hidden />
          {copy.delete}
          <span className="sr-only"> {car}</span>
        </Button>
      }
      title={copy.confirmDelete.title}
      text={copy.confirmDelete.text(car)}
      confirm={copy.delete}
      onConfirm={remove}
    />
  );
}
