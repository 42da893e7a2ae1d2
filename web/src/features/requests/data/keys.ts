export const requestKeys = {
  all: ['requests'] as const,
  active: ['requests', 'active'] as const,
  importer: (requestId: string) => ['requests', 'importer', requestId] as const,
  own: (importerId: string) => ['requests', 'own', importerId] as const,
  ofMakes: (makes: readonly string[]) => ['requests', 'of-makes', ...makes] as const,
};
