/** The sections of the landing page that its menus lead to. */
import { landing } from '@/copy/landing';

export const anchors = [
  ['#how-it-works', landing.nav.howItWorks],
  ['#for-importers', landing.nav.forImporters],
  ['#for-agents', landing.nav.forAgents],
] as const;
