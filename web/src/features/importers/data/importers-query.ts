/** Importers who take invitations, newest first, a page at a time. The service searches; suspended ones are not there. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import type { Json, Tables as Row } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { countOf, listOf, objectOf, textOf } from '@/lib/json-fields';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import type { ImporterSearch } from '../importer-filter';
import { importerKeys } from './keys';

export type Importer = Omit<Row<'profiles'>, 'cursor'> & { cursor: string };

export interface ImporterCounts {
  /** How many fit. */
  total: number;
  /** Where all of them come from, as profiles hold it. */
  countries: string[];
  brands: string[];
}

const PAGE = 20;

function selectNewest(limit: number, signal: AbortSignal) {
  return supabase
    .from('profiles')
    .select('*, cursor', { count: 'exact' })
    .eq('user_type', 'importer')
    .eq('allow_invitations', true)
    .eq('status', 'active')
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit)
    .abortSignal(signal);
}

// AIF-012, AIF-013
export function importerListOptions(search: ImporterSearch) {
  return functionPages<Importer>({
    queryKey: importerKeys.list(search),
    size: PAGE,
    fallback: errors.fetch.importers,
    ask: async (cursor, limit, signal) => {
      const isOfAll = Object.keys(search).length === 0;
      const asked = { ...jsonOf(search), cursor, limit };
      const answer = await (cursor === null && isOfAll
        ? selectNewest(PAGE, signal)
        : supabase.rpc('search_importers', { p: asked }).select('*, cursor').abortSignal(signal));
      return { ...answer, data: answer.data?.map((row) => ({ ...row, cursor: row.cursor ?? '' })) ?? null };
    },
  });
}

export function importerCountsOptions(search: ImporterSearch) {
  return queryOptions({
    queryKey: importerKeys.counts(search),
    queryFn: async ({ signal }): Promise<ImporterCounts> => {
      const answer = await supabase.rpc('count_importers', { p: jsonOf(search) }).abortSignal(signal);
      const { total, countries, brands } = objectOf(unwrap(answer, errors.fetch.importers));
      return { total: countOf(total), countries: textsOf(countries), brands: textsOf(brands) };
    },
    placeholderData: keepPreviousData,
  });
}

function textsOf(json: Json | undefined): string[] {
  return listOf(json).flatMap((text) => textOf(text) ?? []);
}

function jsonOf({ place, country, brand, ...search }: ImporterSearch) {
  return {
    ...search,
    ...(place && { place: [...place] }),
    ...(country && { country: [...country] }),
    ...(brand && { brand: [...brand] }),
  };
}

// AGD-010, AGD-011
export function potentialImportersOptions(limit: number) {
  return queryOptions({
    queryKey: importerKeys.potential(limit),
    queryFn: async ({ signal }) => unwrap(await selectNewest(limit, signal), errors.fetch.importers),
  });
}
