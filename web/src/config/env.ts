/**
 * Where the backend is and what the product is called: build variables first, then what the server says in
 * /config.js, then the page's own origin. Parsed by hand, because zod would weigh on the landing page.
 */
const server: ServerConfig = window.__MINATO__ ?? {};
const build = import.meta.env;

export const env = {
  supabaseUrl: build.VITE_SUPABASE_URL ?? server.url ?? window.location.origin,
  supabaseAnonKey: build.VITE_SUPABASE_ANON_KEY ?? server.anonKey ?? '',
  appName: build.VITE_APP_NAME ?? server.appName ?? 'Minato',
  adminSignup: server.adminSignup ?? true,
  adminEmail: build.VITE_ADMIN_EMAIL ?? server.adminEmail ?? '',
  supportEmail: build.VITE_SUPPORT_EMAIL ?? 'support@minato.example',
  demoMode: server.demoMode ?? false,
} as const;

/** The settings without which nothing can work, by the names a person can set; empty when all is well. */
export function missingSettings(): string[] {
  return env.supabaseAnonKey === '' ? ['VITE_SUPABASE_ANON_KEY (or a server that answers /config.js)'] : [];
}
