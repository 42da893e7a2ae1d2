import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { postRequest as copy } from '@/copy/requests';
import { RequestForm } from '@/features/requests/components/request-form';
import { ownRequestQueryOptions } from '@/features/requests/data/own-requests-query';
import { useCreateRequest } from '@/features/requests/data/request-mutations';
import {
  emptyRequest,
  requestFormOf,
  type RequestFields,
  type RequestForm as Values,
} from '@/features/requests/request-schema';
import { useSignedIn } from '@/lib/auth/auth-context';
import { messageOf, NotAuthenticatedError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { useNavigate } from '@/lib/navigation/use-navigate';
import { publicConfigQueryOptions } from '@/lib/public-config-query';
import { toastError, toastSuccess } from '@/lib/toast';

export default function PostRequestScreen() {
  const { data: config } = useQuery(publicConfigQueryOptions());
  const isReviewed = config?.review_new_requests ?? false;
  const earlier = useEarlierRequest();
  return (
    <div className="max-w-[62rem]">
      <PageHeading title={navigation.importer.postRequest}>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">
        {earlier.values && `${copy.again} `}
        {isReviewed ? copy.leadReviewed : copy.lead}
      </p>
      {earlier.isPending ? (
        <Skeleton className="h-96 rounded-card" />
      ) : (
        <NewRequest
          initial={earlier.values ?? emptyRequest}
          draftKey={earlier.draftKey}
          isReviewed={isReviewed}
        />
      )}
    </div>
  );
}

/** A request of one's own that is posted once more, named by `?again=`. */
function useEarlierRequest(): { values: Values | undefined; draftKey: string; isPending: boolean } {
  const { user } = useSignedIn();
  const id = useSearchParams()[0].get('again');
  const { data: row, isLoading } = useQuery(ownRequestQueryOptions(user.id, id));
  const draftKey = row ? `request-again:${row.id}` : 'request';
  return { values: row ? requestFormOf(row) : undefined, draftKey, isPending: isLoading };
}

interface NewRequestProps {
  initial: Values;
  draftKey: string;
  /** Whether the team looks at new requests first. */
  isReviewed: boolean;
}

// IPR-023, IPR-024
function NewRequest({ initial, draftKey, isReviewed }: NewRequestProps) {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [id] = useState(newId);
  const { mutate, isPending, isSuccess, error } = useCreateRequest(user.id, id);
  const post = (fields: RequestFields) =>
    mutate(fields, {
      onSuccess: () => {
        toastSuccess(copy.success.title, isReviewed ? copy.successReviewed : copy.success.text);
        navigate(paths.importer.requests);
      },
      onError: (failure) =>
        failure instanceof NotAuthenticatedError
          ? toastError(copy.notSignedIn.title, copy.notSignedIn.text)
          : toastError(copy.failed, messageOf(failure)),
    });
  return (
    <RequestForm
      initial={initial}
      draftKey={draftKey}
      submit={copy.submit}
      busyText={copy.busy}
      busy={isPending}
      isDone={isSuccess}
      failure={error && { title: copy.failed, error }}
      onSubmit={post}
      onCancel={() => navigate(paths.importer.dashboard)}
      withPreview
    />
  );
}
