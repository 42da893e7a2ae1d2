/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_SUPABASE_URL?: string;
  readonly VITE_SUPABASE_ANON_KEY?: string;
  readonly VITE_APP_NAME?: string;
  readonly VITE_ADMIN_EMAIL?: string;
  readonly VITE_SUPPORT_EMAIL?: string;
}

/** What the server says about itself in /config.js. */
interface ServerConfig {
  readonly url?: string;
  readonly anonKey?: string;
  readonly appName?: string;
  readonly demoMode?: boolean;
  readonly adminEmail?: string;
  readonly adminSignup?: boolean;
}

interface Window {
  readonly __MINATO__?: ServerConfig;
}
