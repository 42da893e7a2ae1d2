/** What each screen reads first, by its address: the same queries under the same keys, so that nothing is read twice. */
import type { QueryClient } from '@tanstack/react-query';
import { matchPath } from 'react-router-dom';
import { isUserType, paths, type UserType } from '@/config/paths';
import {
  invitationCountsOptions,
  invitationListOptions,
} from '@/features/invitations/data/invitations-query';
import {
  openInvitations,
  recentInvitations,
  sentFilter,
  sentInvitations,
  type OwnList,
} from '@/features/invitations/own-lists';
import { carSearch, searchOfCars } from '@/features/posts/car-search';
import { offerListOptions } from '@/features/posts/data/offers-query';
import { latestPostsQueryOptions } from '@/features/posts/data/posts-query';
import { savedPostsOptions } from '@/features/posts/data/saved-posts-query';
import { feedSearch, searchOfFeed } from '@/features/posts/feed-search';
import { reviewFiguresOptions, reviewListOptions } from '@/features/reviews/data/reviews-query';
import { isUuid } from '@/lib/ids';
import { memberProfileQueryOptions } from '@/lib/member-profile-query';
import type { Destination } from '@/lib/navigation/navigation';
import { readSearch } from '@/lib/search-params';

export interface Reader {
  client: QueryClient;
  userId: string;
  /** The kind of account. */
  type: string;
}

interface Wish extends Reader {
  search: string;
  /** Of the address: whose profile it is. */
  memberId: string;
}

type Ask = (wish: Wish) => Promise<unknown>;

const feed: Ask = ({ client, search }) =>
  client.infiniteQuery(offerListOptions(client, searchOfFeed(readSearch(feedSearch, search).show)));
const invitations = ({ client, userId }: Wish, list: OwnList) => [
  client.infiniteQuery(invitationListOptions(userId, list)),
  client.query(invitationCountsOptions(userId)),
];
const reviewsAbout = (client: QueryClient, userId: string) => [
  client.infiniteQuery(reviewListOptions('about', userId)),
  client.query(reviewFiguresOptions(userId)),
];
const ownReviews: Ask = ({ client, userId }) => Promise.all(reviewsAbout(client, userId));

const inArea: Record<UserType, Record<string, Ask>> = {
  agent: {
    [paths.agent.dashboard]: (wish) => Promise.all(invitations(wish, recentInvitations)),
    [paths.agent.feed]: feed,
    [paths.agent.invitations]: (wish) =>
      Promise.all(invitations(wish, sentInvitations(readSearch(sentFilter, wish.search).status))),
    [paths.agent.reviews]: ownReviews,
  },
  importer: {
    [paths.importer.dashboard]: (wish) =>
      Promise.all([...invitations(wish, openInvitations), wish.client.query(latestPostsQueryOptions(3))]),
    [paths.importer.feed]: feed,
    [paths.importer.availableCars]: ({ client, search }) =>
      client.infiniteQuery(offerListOptions(client, searchOfCars(readSearch(carSearch, search)))),
    [paths.importer.savedCars]: ({ client, userId }) =>
      client.infiniteQuery(savedPostsOptions(client, userId)),
    [paths.importer.reviews]: ownReviews,
  },
};

const profile: Ask = ({ client, memberId }) =>
  Promise.all([client.query(memberProfileQueryOptions(memberId)), ...reviewsAbout(client, memberId)]);

/** What is here and still right is not asked for; what fails is left to the screen, which says so. */
export function askFirstRows(reader: Reader, { pathname, search }: Destination): void {
  const member = [paths.agent, paths.importer]
    .map(({ publicProfile }) => matchPath(publicProfile(':memberId'), pathname)?.params.memberId)
    .find(isUuid);
  const own = isUserType(reader.type) ? inArea[reader.type] : {};
  const ask = member === undefined ? own[pathname] : profile;
  ask?.({ ...reader, search, memberId: member ?? '' }).catch(() => undefined);
}
