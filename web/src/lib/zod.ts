/** zod without its compiled parsers: it writes code at run time, which the site's Content-Security-Policy forbids. */
import { z } from 'zod';

z.config({ jitless: true });

export { z };
