import type {} from 'minato-test';

// As `minato gen types` writes it, in short.
interface Cart {
  id: number;
  owner: string;
  paid: boolean;
}

export interface Database {
  public: {
    Tables: {
      carts: {
        Row: Cart & Record<string, unknown>;
        Insert: Partial<Cart>;
        Update: Partial<Cart>;
        Relationships: [];
      };
    };
    Views: Record<string, never>;
    Functions: Record<string, never>;
  };
}

// Every client of the tests is typed by it.
declare module 'minato-test' {
  interface Register {
    database: Database;
  }
}
