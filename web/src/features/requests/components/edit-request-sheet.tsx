/** A request of one's own, opened to be changed. */
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { app } from '@/copy/app';
import { postRequest as copy } from '@/copy/requests';
import { toastError, toastSuccess } from '@/lib/toast';
import { messageOf } from '@/lib/errors';
import type { OwnRequest } from '../data/own-requests-query';
import { useUpdateRequest } from '../data/request-mutations';
import { requestFormOf, type RequestFields } from '../request-schema';
import { RequestForm } from './request-form';

interface EditRequestSheetProps {
  request: OwnRequest;
  onClose: () => void;
}

export function EditRequestSheet({ request, onClose }: EditRequestSheetProps) {
  const { mutate, isPending, isSuccess, error } = useUpdateRequest(request.id);
  const save = (fields: RequestFields) =>
    mutate(fields, {
      onSuccess: () => {
        toastSuccess(copy.edited.title, editedText(request.status));
        onClose();
      },
      onError: (failure) => toastError(copy.editFailed, messageOf(failure)),
    });
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title={copy.edit} closeLabel={app.dismiss}>
        <div className="px-4 pt-5 sm:px-5 sm:pb-5">
          <RequestForm
            initial={requestFormOf(request)}
            submit={copy.save}
            busyText={copy.saving}
            busy={isPending}
            isDone={isSuccess}
            failure={error && { title: copy.editFailed, error }}
            onSubmit={save}
            onCancel={onClose}
          />
        </div>
      </SheetContent>
    </Sheet>
  );
}

function editedText(status: string): string {
  return status === 'active' || status === 'pending' ? copy.edited[status] : copy.edited.closed;
}
