/** The profile, the documents and, on the payment screen, the fee, submitted in one press. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { FormSection } from '@/components/form/form-section';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { documents as documentCopy, onboarding } from '@/copy/onboarding';
import { toastError, toastSuccess } from '@/lib/toast';
import type { PaymentMethod } from '../agent-data';
import { useSubmission } from '../data/submission-mutation';
import { agentProfileSchema, type AgentProfile } from '../schema';
import { DocumentTrays } from './document-trays';
import { PaymentFields } from './payment-fields';
import { ProfileFields } from './profile-fields';
import { useDocumentTrays } from './use-document-trays';

interface OnboardingFormProps {
  screen: 'profileCompletion' | 'payment';
  /** The signed-in agent's id; null where nothing can be uploaded. */
  agentId: string | null;
  initial: AgentProfile;
  onDone: () => void;
}

export function OnboardingForm({ screen, agentId, initial, onDone }: OnboardingFormProps) {
  const copy = onboarding[screen];
  const form = useForm({ resolver: zodResolver(agentProfileSchema), defaultValues: initial });
  const trays = useDocumentTrays();
  const traysElement = useRef<HTMLDivElement>(null);
  const [method, setMethod] = useState<PaymentMethod>('easypaisa');
  const submission = useSubmission(agentId, trays.onProgress);

  const submit = (profile: AgentProfile) => {
    if (!trays.isComplete) {
      trays.complain();
      toastError(documentCopy.missing.title, documentCopy.missing.text);
      traysElement.current?.querySelector<HTMLElement>('[role=group] button')?.focus();
      return;
    }
    const paymentMethod = screen === 'payment' ? method : undefined;
    submission.mutate(
      { profile, documents: trays.documents, paymentMethod },
      {
        onSuccess: () => {
          toastSuccess(copy.success, agentId ? onboarding.received : undefined);
          onDone();
        },
        onError: () => toastError(onboarding.failed.title, onboarding.failed.text),
      },
    );
  };

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit, trays.complain)(event)}
        className="space-y-6"
      >
        {submission.isError && <Alert title={onboarding.failed.title} text={onboarding.failed.text} />}
        <FormSection id="profile" title={onboarding.steps.profile}>
          <ProfileFields />
        </FormSection>
        <div ref={traysElement}>
          <FormSection id="documents" title={onboarding.steps.documents}>
            <DocumentTrays
              documents={trays.documents}
              onChange={trays.onChange}
              progress={trays.progress}
              isComplaining={trays.isComplaining}
              disabled={submission.isPending}
            />
          </FormSection>
        </div>
        {screen === 'payment' && (
          <FormSection id="payment" title={onboarding.steps.payment}>
            <PaymentFields method={method} onMethod={setMethod} />
          </FormSection>
        )}
        <SubmitBar text={copy.submit} busy={submission.isPending} />
      </form>
    </FormProvider>
  );
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
