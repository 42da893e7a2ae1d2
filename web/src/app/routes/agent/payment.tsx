import { OnboardingScreen } from '@/features/onboarding/components/onboarding-screen';

export default function PaymentScreen() {
  return <OnboardingScreen screen="payment" />;
}
