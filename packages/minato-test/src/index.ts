/** A backend of its own for every test. */

export { Branch, type BranchOptions, type Caller, type Person } from './branch.js';
export type { Client, ClientOptions, Register, Session } from './clients.js';
export type { Clock, Move, Time } from './clock.js';
export { MinatoError } from './control.js';
export type { Duration } from './duration.js';
export type { Event, WantedEvents } from './events.js';
export type { Fault, Faults, Rule, Settled, SettleOptions } from './faults.js';
export type { Mail, Mailbox, Message, Wanted } from './mailbox.js';
export { moveDate } from './moved-date.js';
export { server, type Server } from './server.js';
export type { Received, Reply, Sink } from './sink.js';
export type { Command, Question, Reason } from './why.js';
