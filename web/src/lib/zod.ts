/** The small zod, whose checks come one by one, and without its compiled parsers: it writes code at run time, which the site's Content-Security-Policy forbids. */
import { z } from 'zod/mini';

z.config({ jitless: true });

export { z };
