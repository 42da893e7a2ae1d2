/** Verified agents page by page, the best rated first; search and filters run over all of them. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { directory } from '@/copy/directory';
import { unwrap } from '@/lib/errors';
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

function selectPage({ search, city, specialty }: AgentFilter, from: number, signal: AbortSignal) {
  return supabase
    .rpc(
      'agent_directory',
      { p_search: search.trim(), p_city: city, p_specialty: specialty },
      { count: 'exact' },
    )
    .range(from, from + PAGE - 1)
    .abortSignal(signal);
}

type DirectoryRow = NonNullable<Awaited<ReturnType<typeof selectPage>>['data']>[number];
type Optional =
  'full_name' | 'country' | 'city' | 'avatar_url' | 'specialties' | 'experience' | 'response_time';

/** The generated types do not know that columns of a function's rows may be null. */
export type DirectoryAgent = Omit<DirectoryRow, Optional> & {
  [Column in Optional]: DirectoryRow[Column] | null;
};

interface DirectoryPage {
  agents: DirectoryAgent[];
  total: number;
}

async function fetchPage(filter: AgentFilter, from: number, signal: AbortSignal): Promise<DirectoryPage> {
  const answer = await selectPage(filter, from, signal);
  const agents = unwrap(answer, directory.failed);
  return { agents, total: answer.count ?? agents.length };
}

export function agentsQueryOptions(filter: AgentFilter) {
  return infiniteQueryOptions({
    queryKey: [...directoryKeys.all, 'agents', filter] as const,
    queryFn: ({ pageParam, signal }) => fetchPage(filter, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => {
      const shown = pages.length * PAGE;
      return shown < page.total ? shown : null;
    },
    placeholderData: keepPreviousData,
  });
}
