import { OnboardingScreen } from '@/features/onboarding/components/onboarding-screen';

export default function ProfileCompletionScreen() {
  return <OnboardingScreen screen="profileCompletion" />;
}
