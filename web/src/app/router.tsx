/**
 * The site on one page. Every screen is loaded when it is first visited; one that breaks or does not come leaves the
 * frame of its area standing.
 */
import { Navigate, type RouteObject } from 'react-router-dom';
import { paths } from '@/config/paths';
import { Navigation } from '@/lib/navigation/navigation';
import { Root } from './error-pages';
import { areaScreen, lazyScreen, told, type LoadScreen } from './late-screen';

export function createNavigation(): Navigation {
  const children = [...publicRoutes, profileRoutes, agentArea, importerArea, adminArea, notFound];
  return new Navigation([{ element: <Root />, children }]);
}

/** A page of its own. Where several addresses show the same one, `props` say which of them it is. */
function page(path: string, load: LoadScreen): RouteObject;
function page<Props extends object>(path: string, load: LoadScreen<Props>, props: Props): RouteObject;
function page(path: string, load: LoadScreen, props = {}): RouteObject {
  return { path, lazy: lazyScreen(told(load, props)), handle: load };
}

/** A screen in the frame of an area. */
function screen(path: string, load: LoadScreen): RouteObject;
function screen<Props extends object>(path: string, load: LoadScreen<Props>, props: Props): RouteObject;
function screen(path: string, load: LoadScreen, props = {}): RouteObject {
  return { path, lazy: areaScreen(told(load, props)), handle: load };
}

const publicRoutes: RouteObject[] = [
  page(paths.home, () => import('./routes/landing')),
  page(paths.auth, () => import('./routes/auth')),
  page(paths.terms, () => import('./routes/terms')),
  page(paths.emailConfirmed, () => import('./routes/email-confirmed')),
  page(paths.emailVerification, () => import('./routes/email-verification')),
  page(paths.mails(':token'), () => import('./routes/mails')),
  page(paths.agent.signUp, () => import('./routes/agent/sign-up')),
  page(paths.agent.signIn, () => import('./routes/sign-in'), { door: 'agent' }),
  page(paths.importer.signUp, () => import('./routes/importer/sign-up')),
  page(paths.importer.signIn, () => import('./routes/sign-in'), { door: 'importer' }),
  page(paths.agent.profileCompletion, () => import('./routes/agent/onboarding'), {
    screen: 'profileCompletion',
  }),
  page(paths.agent.payment, () => import('./routes/agent/onboarding'), { screen: 'payment' }),
  page(paths.admin.signUp, () => import('./routes/admin/sign-up')),
  page(paths.admin.signUpSuccess, () => import('./routes/admin/sign-up-success')),
  page(paths.admin.login, () => import('./routes/admin/login')),
];

/** Profiles and shared cars are open to both kinds of account, so they stand outside the two areas. */
const profileRoutes: RouteObject = {
  lazy: lazyScreen(() => import('./guards/signed-in-guard')),
  children: [
    screen(paths.agent.publicProfile(':memberId'), () => import('./routes/public-profile'), {
      kind: 'agent',
    }),
    screen(paths.importer.publicProfile(':memberId'), () => import('./routes/public-profile'), {
      kind: 'importer',
    }),
    screen(paths.car(':postId'), () => import('./routes/car')),
  ],
};

const agentArea: RouteObject = {
  path: paths.agent.root,
  lazy: lazyScreen(() => import('./routes/agent/layout')),
  children: [
    { index: true, element: <Navigate to={paths.agent.dashboard} replace /> },
    screen(paths.agent.dashboard, () => import('./routes/agent/dashboard')),
    screen(paths.agent.createPost, () => import('./routes/agent/create-post')),
    screen(paths.agent.importPosts, () => import('./routes/agent/import-posts')),
    screen(paths.agent.editPost(':postId'), () => import('./routes/agent/edit-post')),
    screen(paths.agent.profile, () => import('./routes/profile')),
    screen(paths.agent.feed, () => import('./routes/agent/feed')),
    screen(paths.agent.importerFeed, () => import('./routes/agent/importer-feed')),
    screen(paths.agent.requests, () => import('./routes/agent/requests')),
    screen(paths.agent.invitations, () => import('./routes/agent/invitations')),
    screen(paths.agent.messages, () => import('./routes/messages'), { area: 'agent' }),
    screen(paths.agent.chat(':requestId'), () => import('./routes/agent/chat')),
    screen(paths.agent.reviews, () => import('./routes/reviews'), { area: 'agent' }),
    screen(paths.agent.settings, () => import('./routes/settings'), { area: 'agent' }),
    screen(paths.agent.support, () => import('./routes/support'), { area: 'agent' }),
    screen(paths.agent.ticket(':ticketId'), () => import('./routes/ticket'), { area: 'agent' }),
  ],
};

const importerArea: RouteObject = {
  path: paths.importer.root,
  lazy: lazyScreen(() => import('./routes/importer/layout')),
  children: [
    { index: true, element: <Navigate to={paths.importer.dashboard} replace /> },
    screen(paths.importer.dashboard, () => import('./routes/importer/dashboard')),
    screen(paths.importer.feed, () => import('./routes/importer/feed')),
    screen(paths.importer.profile, () => import('./routes/profile')),
    screen(paths.importer.agents, () => import('./routes/importer/agents')),
    screen(paths.importer.availableCars, () => import('./routes/importer/available-cars')),
    screen(paths.importer.savedCars, () => import('./routes/importer/saved-cars')),
    screen(paths.importer.requests, () => import('./routes/importer/requests')),
    screen(paths.importer.postRequest, () => import('./routes/importer/post-request')),
    screen(paths.importer.messages, () => import('./routes/messages'), { area: 'importer' }),
    screen(paths.importer.reviews, () => import('./routes/reviews'), { area: 'importer' }),
    screen(paths.importer.settings, () => import('./routes/settings'), { area: 'importer' }),
    screen(paths.importer.support, () => import('./routes/support'), { area: 'importer' }),
    screen(paths.importer.ticket(':ticketId'), () => import('./routes/ticket'), { area: 'importer' }),
  ],
};

/** `/admin` and `/admin/dashboard` show the same overview. */
const adminArea: RouteObject = {
  path: paths.admin.root,
  lazy: lazyScreen(() => import('./routes/admin/layout')),
  children: [
    screen(paths.admin.root, () => import('./routes/admin/dashboard')),
    screen(paths.admin.dashboard, () => import('./routes/admin/dashboard')),
    screen(paths.admin.agents, () => import('./routes/admin/agents')),
    screen(paths.admin.importers, () => import('./routes/admin/importers')),
    screen(paths.admin.requests, () => import('./routes/admin/requests')),
    screen(paths.admin.messages, () => import('./routes/admin/messages')),
    screen(paths.admin.analytics, () => import('./routes/admin/analytics')),
    screen(paths.admin.audit, () => import('./routes/admin/audit')),
    screen(paths.admin.mails, () => import('./routes/admin/mails')),
    screen(paths.admin.settings, () => import('./routes/admin/settings')),
  ],
};

const notFound = page('*', () => import('./routes/not-found'));
