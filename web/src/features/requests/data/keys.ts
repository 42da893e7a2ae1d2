export const requestKeys = {
  all: ['requests'] as const,
  active: ['requests', 'active'] as const,
};
