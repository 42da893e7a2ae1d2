import type { ImporterSearch } from '../importer-filter';

// CO2-003
export const importerKeys = {
  all: ['importers'] as const,
  list: (search: ImporterSearch) => ['importers', 'list', search] as const,
  counts: (search: ImporterSearch) => ['importers', 'counts', search] as const,
  potential: (limit: number) => ['importers', 'potential', limit] as const,
};
