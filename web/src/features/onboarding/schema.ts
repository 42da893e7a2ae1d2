/** What the agent profile form accepts. A bio of exactly the limit is valid. */
import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';

export const BIO_LIMIT = 250;

export const agentProfileSchema = z.object({
  bio: z.string().trim().max(BIO_LIMIT, validation.bio),
  companyName: z.string().trim().min(2, validation.companyName),
  experience: z.string().trim().regex(/^\d{1,2}$/, validation.experience), // prettier-ignore
  languages: z.string().trim().min(2, validation.languages),
});

export type AgentProfile = z.infer<typeof agentProfileSchema>;
