/** How the state of an invitation is shown; what was sent reads as pending. */
import { invitationStatus } from '@/copy/dashboards';

const TONES = { sent: 'warning', accepted: 'success', declined: 'neutral' } as const;

type Status = keyof typeof TONES;

export function invitationTone(status: string): { tone: (typeof TONES)[Status]; text: string } {
  const known = status in TONES ? (status as Status) : 'sent';
  return { tone: TONES[known], text: invitationStatus[known] };
}
