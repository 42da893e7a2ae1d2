/** What lists of offers ask the service for. */

/** As `search_offers` reads it; a key that is missing asks for nothing. */
export interface OfferSearch {
  readonly q?: string;
  readonly exact?: '1';
  readonly make?: string;
  readonly body?: string;
  readonly fuel?: string;
  readonly gearbox?: string;
  readonly drive?: string;
  readonly colour?: string;
  readonly condition?: string;
  readonly price?: string;
  readonly status?: string;
  readonly followed?: '1';
  readonly saved?: '1';
}

/** Sold ones too, which are left out unless they are asked for. */
export const ANY_STATE = 'in-stock,auction,reserved,sold';
