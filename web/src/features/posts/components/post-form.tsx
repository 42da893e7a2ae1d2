/** The form an agent publishes an offer with, and beside it the offer as importers will see it. */
import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm, useWatch, type Control } from 'react-hook-form';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { createPost as copy } from '@/copy/posts';
import { errors } from '@/copy/errors';
import { cn } from '@/lib/class-names';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useCreatePost } from '../data/post-create-mutation';
import { emptyPost, postSchema, type NewPost, type PostForm as PostFormValues } from '../post-schema';
import { PostFields } from './post-fields';
import { PostPreview } from './post-preview';

interface PostFormProps {
  agentId: string;
  onDone: () => void;
  onCancel: () => void;
}

// ACP-003, ACP-006, ACP-015, ACP-016, ACP-019
export function PostForm({ agentId, onDone, onCancel }: PostFormProps) {
  const form = useForm({ resolver: zodResolver(postSchema), defaultValues: emptyPost });
  const { mutate, isPending, error } = useCreatePost(agentId);
  const onSubmit = (post: NewPost) =>
    mutate(post, {
      onSuccess: () => {
        toastSuccess(copy.success.title, copy.success.text);
        onDone();
      },
      onError: (failure) => toastError(errors.title, messageOf(failure, copy.failed)),
    });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
        className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem] lg:items-start"
      >
        <div className="space-y-6">
          {error && <Alert title={errors.title} text={messageOf(error, copy.failed)} />}
          <PostFields agentId={agentId} />
          <FormBar control={form.control} busy={isPending} onCancel={onCancel} />
        </div>
        <PostPreview control={form.control} />
      </form>
    </FormProvider>
  );
}

interface FormBarProps {
  control: Control<PostFormValues, unknown, NewPost>;
  busy: boolean;
  onCancel: () => void;
}

/** On a phone the bar stays in reach at the lower edge. */
function FormBar({ control, busy, onCancel }: FormBarProps) {
  const [brand, model] = useWatch({ control, name: ['brand', 'model'] });
  const isReady = brand.trim() !== '' && model.trim() !== '';
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t bg-background px-4 py-3 sm:static sm:mx-0 sm:px-0 sm:pt-5">
      <BusyButton
        type="submit"
        busy={busy}
        busyText={copy.busy}
        disabled={!isReady}
        className="flex-1 sm:flex-none"
      >
        {copy.submit}
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
        {copy.required}
      </p>
    </div>
  );
}
