/** What the back office knows of every member, agent or importer. */
import { csvColumns as copy } from '@/copy/back-office-csv';
import { day, name } from '@/features/administration/records/data/answers';
import { countryName } from '@/lib/country';
import { isoDay, type CsvColumn } from '@/lib/csv';
import { z } from '@/lib/zod';

export const memberSchema = z.object({
  user_id: z.string(),
  full_name: name,
  company_name: name,
  country: name,
  city: name,
  phone: name,
  email: z.string(),
  avatar_url: name,
  created_at: day,
  suspension_reason: name,
});

export type Member = z.infer<typeof memberSchema>;

/** What a file says of every member. */
export const memberCsv: readonly CsvColumn<Member>[] = [
  [copy.name, (row) => row.full_name],
  [copy.company, (row) => row.company_name],
  [copy.email, (row) => row.email],
  [copy.phone, (row) => row.phone],
  [copy.city, (row) => row.city],
  [copy.country, (row) => countryName(row.country)],
  [copy.joined, (row) => isoDay(row.created_at)],
];
