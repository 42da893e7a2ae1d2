/** The form an agent publishes or changes an offer with, and beside it the offer as importers will see it. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useIsMutating } from '@tanstack/react-query';
import { FormProvider, useForm, useWatch, type Control } from 'react-hook-form';
import { DraftNote } from '@/components/form/draft-note';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { photos } from '@/copy/offers';
import { createPost as copy } from '@/copy/post-form';
import { useDraft } from '@/hooks/use-draft';
import { cn } from '@/lib/class-names';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { photoUploadKey } from '../data/photo-upload-mutation';
import { postSchema, type NewPost, type PostForm as PostFormValues } from '../post-schema';
import { PostFields } from './post-fields';
import { PostPreview } from './post-preview';

interface Words {
  submit: string;
  busy: string;
  required: string;
  success: { title: string; text: string };
  failed: string;
}

interface PostFormProps {
  agentId: string;
  /** Under which name what is typed is kept. */
  draft: string;
  values: PostFormValues;
  words: Words;
  /** Writes the offer. */
  mutation: {
    mutate: (offer: NewPost, outcome: { onSuccess: () => void; onError: (error: Error) => void }) => void;
    isPending: boolean;
    error: Error | null;
  };
  onDone: () => void;
  onCancel: () => void;
}

// ACP-003, ACP-006, ACP-015, ACP-016, ACP-019
export function PostForm({ agentId, draft, values, words, mutation, onDone, onCancel }: PostFormProps) {
  const form = useForm({ resolver: zodResolver(postSchema), defaultValues: values });
  const kept = useDraft(form, draft);
  const { mutate, isPending, error } = mutation;
  const onSubmit = (post: NewPost) =>
    mutate(post, {
      onSuccess: () => {
        kept.clear();
        toastSuccess(words.success.title, words.success.text);
        onDone();
      },
      onError: (failure) => toastError(errors.title, messageOf(failure, words.failed)),
    });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
        className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem] lg:items-start"
      >
        <div className="space-y-6">
          {error && <Alert title={errors.title} text={messageOf(error, words.failed)} />}
          <DraftNote draft={kept} />
          <PostFields agentId={agentId} />
          <FormBar control={form.control} words={words} busy={isPending} onCancel={onCancel} />
        </div>
        <PostPreview control={form.control} />
      </form>
    </FormProvider>
  );
}

interface FormBarProps {
  control: Control<PostFormValues, unknown, NewPost>;
  words: Words;
  busy: boolean;
  onCancel: () => void;
}

/** On a phone the bar stays in reach at the lower edge. */
function FormBar({ control, words, busy, onCancel }: FormBarProps) {
  const [brand, model] = useWatch({ control, name: ['brand', 'model'] });
  const isNamed = brand.trim() !== '' && model.trim() !== '';
  const isUploading = useIsMutating({ mutationKey: photoUploadKey }) > 0;
  const isReady = isNamed && !isUploading;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t bg-background px-4 py-3 sm:static sm:mx-0 sm:px-0 sm:pt-5">
      <BusyButton
        type="submit"
        busy={busy}
        busyText={words.busy}
        disabled={!isReady}
        className="flex-1 sm:flex-none"
      >
        {words.submit}
      </BusyButton>
      <Button variant="outline" onClick={onCancel}>
        {copy.cancel}
      </Button>
      <p
        className={cn(
          'basis-full text-small text-muted-foreground sm:basis-auto',
          isReady && 'max-sm:hidden',
        )}
      >
        {isUploading ? photos.wait : words.required}
      </p>
    </div>
  );
}
