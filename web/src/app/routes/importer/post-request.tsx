import { useNavigate } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { postRequest as copy } from '@/copy/requests';
import { RequestForm } from '@/features/requests/components/request-form';
import { useCreateRequest } from '@/features/requests/data/request-mutations';
import { emptyRequest, type RequestFields } from '@/features/requests/request-schema';
import { useSignedIn } from '@/lib/auth/auth-context';
import { messageOf, NotAuthenticatedError } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';

// IPR-023, IPR-024
export default function PostRequestScreen() {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const { mutate, isPending, isSuccess, error } = useCreateRequest(user.id);
  const post = (fields: RequestFields) =>
    mutate(fields, {
      onSuccess: () => {
        toastSuccess(copy.success.title, copy.success.text);
        void navigate(paths.importer.requests);
      },
      onError: (failure) =>
        failure instanceof NotAuthenticatedError
          ? toastError(copy.notSignedIn.title, copy.notSignedIn.text)
          : toastError(copy.failed, messageOf(failure)),
    });
  return (
    <div className="max-w-[62rem]">
      <PageHeading title={navigation.importer.postRequest}>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.lead}</p>
      <RequestForm
        initial={emptyRequest}
        submit={copy.submit}
        busyText={copy.busy}
        busy={isPending}
        isDone={isSuccess}
        failure={error && { title: copy.failed, error }}
        onSubmit={post}
        onCancel={() => void navigate(paths.importer.dashboard)}
        withPreview
      />
    </div>
  );
}
