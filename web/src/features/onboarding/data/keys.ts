export const onboardingKeys = {
  submission: (agentId: string) => ['onboarding', 'submission', agentId] as const,
  reference: (agentId: string) => ['onboarding', 'reference', agentId] as const,
  /** Files that were chosen and not sent yet; `null` is a guest. */
  chosen: (agentId: string | null) => ['onboarding-files', agentId] as const,
};
