/** Verified agents page by page, the best rated first; search and filters run over all of them. */
import { directory } from '@/copy/directory';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import { directoryKeys } from './keys';

/** What the directory offers to narrow the agents by; '' stands for all of them. */
export const agentCities = ['Tokyo', 'Osaka', 'Nagoya', 'Kyoto', 'Fukuoka'] as const;
export const agentSpecialties = ['Toyota', 'Honda', 'Luxury', 'Sports', 'Electric', 'Commercial'] as const;

export interface AgentFilter {
  search: string;
  city: '' | (typeof agentCities)[number];
  specialty: '' | (typeof agentSpecialties)[number];
}

// IMA-008, IMA-010
const PAGE = 6;

function selectPage(filter: AgentFilter, cursor: string | null, limit: number, signal: AbortSignal) {
  const { search, city, specialty } = filter;
  const narrowed = { p_search: search.trim(), p_city: city, p_specialty: specialty };
  return supabase
    .rpc('agent_directory', { ...narrowed, p_limit: limit, ...(cursor !== null && { p_cursor: cursor }) })
    .abortSignal(signal);
}

type DirectoryRow = NonNullable<Awaited<ReturnType<typeof selectPage>>['data']>[number];
type Optional =
  'full_name' | 'country' | 'city' | 'avatar_url' | 'specialties' | 'experience' | 'response_time';

/** The generated types do not know that columns of a function's rows may be null. `total`: how many fit in all. */
export type DirectoryAgent = Omit<DirectoryRow, Optional> & {
  [Column in Optional]: DirectoryRow[Column] | null;
};

export function agentsQueryOptions(filter: AgentFilter) {
  return functionPages<DirectoryAgent>({
    queryKey: [...directoryKeys.all, 'agents', filter],
    size: PAGE,
    fallback: directory.failed,
    ask: (cursor, limit, signal) => selectPage(filter, cursor, limit, signal),
  });
}
