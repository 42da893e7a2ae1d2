/** `mfa_factor_enrolled_notification` as people read it. */
export function nameOf(template: string): string {
  const words = template
    .replace(/_notification$/, '')
    .replaceAll('_', ' ')
    .replace(/^mfa\b/, 'MFA');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
