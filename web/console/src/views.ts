/** The views, in the order of the rail. Each comes with its own file. */
import { ArrowLeftRight, GitBranch, Mail, type LucideIcon } from 'lucide-react';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export interface View {
  /** Its address below `/_dev/`; what follows is the view's own. */
  path: string;
  name: string;
  /** `g` and this letter lead to it. */
  letter: string;
  icon: LucideIcon;
  component: LazyExoticComponent<ComponentType>;
}

export const VIEWS: readonly View[] = [
  {
    path: 'requests',
    name: 'Requests',
    letter: 'r',
    icon: ArrowLeftRight,
    component: lazy(() => import('./views/requests/view')),
  },
  {
    path: 'mail',
    name: 'Mail & SMS',
    letter: 'm',
    icon: Mail,
    component: lazy(() => import('./views/mail/view')),
  },
  {
    path: 'branches',
    name: 'Branches',
    letter: 'b',
    icon: GitBranch,
    component: lazy(() => import('./views/branches/view')),
  },
];
