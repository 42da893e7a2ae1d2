/** Conversations between importers and agents. */
import { app } from './app';
import { navigation } from './navigation';

export const messages = {
  title: 'Messages',
  subtitle: {
    agent: 'Communicate with your importers and manage conversations',
    importer: 'Communicate with agents about your car import requests',
  },
  list: 'Conversations',
  search: 'Search conversations',
  noMatch: 'No conversation matches your search.',
  empty: {
    title: 'No conversations yet',
    text: 'Write to somebody from their profile and the conversation appears here.',
  },
  nothingSelected: {
    title: 'No Conversation Selected',
    text: 'Choose a conversation on the left to read it and to answer.',
  },
  earlier: 'Show earlier messages',
  noMessages: 'No messages yet. Start the conversation!',
  /** Where nobody may write. */
  nothingWritten: 'No messages yet.',
  unknownUser: 'Unknown User',
  unknownCountry: 'Unknown',
  lastSeen: 'Recently',
  lastSeenLabel: 'Last seen',
  unread: navigation.unread,
  you: 'You',
  back: 'Back to conversations',
  thread: (name: string) => `Conversation with ${name}`,
  actions: (name: string) => `More about ${name}`,
  viewProfile: 'View Profile',
  input: 'Message',
  placeholder: 'Type your message...',
  send: 'Send',
  sending: 'Sending...',
  tooLong: 'A message can have 4,000 characters. Please shorten it or send it in two parts.',
  waiting: 'Waiting for the connection',
  notSent: 'Not sent.',
  sendAgain: 'Try again',
  remove: 'Remove',
  notFound: {
    title: 'Conversation not found',
    text: 'There is nobody here to write to. They may have left, or the link is wrong.',
  },
  subject: {
    about: 'About',
    price: (price: string) => `CNF ${price}`,
    remove: 'Remove the car from this conversation',
  },
  direct: {
    importer: app.directDeals,
    agent: 'Deals are made directly between you and the importer.',
  },
  identity: (name: string) => `Who ${name} is`,
  memberSince: 'Member since',
  noReviews: 'No reviews yet',
  shortRating: (average: number, total: number) =>
    `${average.toFixed(1)} (${total === 1 ? '1 review' : `${total} reviews`})`,
  gone: 'This person has left Minato. The messages stay with you.',
  sent: { title: 'Message Sent', text: 'Your message has been sent successfully.' },
  failed: { title: 'Failed to Send Message', text: 'Something went wrong. Please try again.' },
} as const;
