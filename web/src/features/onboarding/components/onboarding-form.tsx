/** The profile, the documents and, on the payment screen, the fee, submitted in one press. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useRef } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { DraftNote } from '@/components/form/draft-note';
import { CharacterCounter, FormSection } from '@/components/form/form-section';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { fields } from '@/copy/auth';
import { documents as documentCopy, onboarding, agentProfile as copy } from '@/copy/onboarding';
import { useDraft } from '@/hooks/use-draft';
import { toastError, toastSuccess } from '@/lib/toast';
import type { Payment } from '../agent-data';
import { useSubmission } from '../data/submission-mutation';
import type { VerificationRecord } from '../data/verification-query';
import { RefusedDocumentsError } from '../files';
import { onboardingSchema, paymentOf, BIO_LIMIT, type OnboardingValues } from '../schema';
import { isHandedIn, isSettled } from '../standing';
import { DocumentTrays } from './document-trays';
import { Checked, WithAside } from './onboarding-page';
import { PaymentFields } from './payment-fields';
import { StepRail } from './step-rail';
import { useDocumentTrays } from './use-document-trays';

interface OnboardingFormProps {
  screen: 'profileCompletion' | 'payment';
  /** The signed-in agent's id; null where nothing can be uploaded. */
  agentId: string | null;
  /** What the agent handed in before. */
  submission: VerificationRecord | null;
  initial: OnboardingValues;
  onDone: () => void;
}

export function OnboardingForm({ screen, agentId, submission, initial, onDone }: OnboardingFormProps) {
  const copy = onboarding[screen];
  const withFee = screen === 'payment';
  const form = useForm({ resolver: zodResolver(onboardingSchema), defaultValues: initial });
  // both screens go on with the same form
  const draft = useDraft(form, 'onboarding');
  const trays = useDocumentTrays({
    agentId,
    isHandedIn: (kind) =>
      (kind === 'identity' && isHandedIn(submission, 'identity_document')) ||
      (kind === 'company' && isHandedIn(submission, 'company_proof')),
  });
  const traysElement = useRef<HTMLDivElement>(null);
  const mutation = useSubmission(agentId, trays.onProgress);
  const isFeeTold = isSettled(submission) || submission?.payment_status === 'claimed';

  const succeed = (payment: Payment | undefined) => {
    toastSuccess(copy.success, agentId ? receivedText(payment, isFeeTold) : undefined);
    draft.clear();
    trays.empty();
    onDone();
  };
  const fail = (error: Error) => {
    if (error instanceof RefusedDocumentsError) trays.giveBack(error.refusals);
    toastError(onboarding.failed.title, failureText(error));
  };
  const submit = (values: OnboardingValues) => {
    if (!trays.isComplete) {
      trays.complain();
      toastError(documentCopy.missing.title, documentCopy.missing.text);
      traysElement.current?.querySelector<HTMLElement>('[role=group] button')?.focus();
      return;
    }
    const payment = withFee ? paymentOf(values, isFeeTold) : undefined;
    mutation.mutate(
      { profile: values, documents: trays.documents, payment },
      { onSuccess: () => succeed(payment), onError: fail },
    );
  };

  return (
    <FormProvider {...form}>
      <WithAside
        aside={
          <>
            <StepRail withFee={withFee} hasDocuments={trays.isComplete} isFeeTold={isFeeTold} />
            <Checked withFee={withFee} />
          </>
        }
      >
        <form
          noValidate
          onSubmit={(event) => void form.handleSubmit(submit, trays.complain)(event)}
          className="space-y-6"
        >
          <DraftNote draft={draft} />
          {mutation.isError && <Alert title={onboarding.failed.title} text={failureText(mutation.error)} />}
          <FormSection id="profile" title={onboarding.steps.profile}>
            <ProfileFields />
          </FormSection>
          <div ref={traysElement}>
            <FormSection id="documents" title={onboarding.steps.documents}>
              <DocumentTrays trays={trays} submission={submission} disabled={mutation.isPending} />
            </FormSection>
          </div>
          {withFee && (
            <FormSection id="payment" title={onboarding.steps.payment}>
              <PaymentFields
                agentId={agentId}
                submission={submission}
                trays={trays}
                disabled={mutation.isPending}
              />
            </FormSection>
          )}
          <SubmitBar text={copy.submit} busy={mutation.isPending} />
        </form>
      </WithAside>
    </FormProvider>
  );
}

function failureText(error: Error): string {
  return error instanceof RefusedDocumentsError ? onboarding.refused : onboarding.failed.text;
}

function receivedText(payment: Payment | undefined, isFeeTold: boolean): string {
  if (isFeeTold || payment?.isPaid) return onboarding.received;
  return payment?.method === 'card' ? onboarding.receivedCard : onboarding.receivedUnpaid;
}

/** Stays in reach at the lower edge of a phone. */
function SubmitBar({ text, busy }: { text: string; busy: boolean }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 border-t bg-background px-4 py-3 sm:static sm:mx-0 sm:border-0 sm:px-0 sm:py-0">
      <BusyButton
        type="submit"
        size="large"
        busy={busy}
        busyText={onboarding.busy}
        className="w-full sm:w-auto"
      >
        {text}
      </BusyButton>
    </div>
  );
}

function ProfileFields() {
  return (
    <>
      <TextField
        name="companyName"
        label={copy.companyName}
        autoComplete="organization"
        className="sm:col-span-2"
      />
      <TextField name="experience" label={copy.experience} inputMode="numeric" autoComplete="off" />
      <TextField name="languages" label={copy.languages} hint={copy.languagesHint} autoComplete="off" />
      <div className="sm:col-span-2">
        <TextAreaField name="bio" label={copy.bio} note={fields.optional} hint={copy.bioHint} rows={4} />
        <CharacterCounter name="bio" limit={BIO_LIMIT} />
      </div>
    </>
  );
}
