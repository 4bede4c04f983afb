import type { ApiError } from '#platform/errors.ts'
import type { CredentialKind } from '#platform/http/credential.ts'
import type { Body, Unread } from './bodies.ts'
import type { JournalQueue } from './journal.ts'
import type { QueueMemory } from './memory.ts'
import type { Moment, Stretch } from './stretches.ts'
import type { Capability, IncludeSubscribers, QueueView, ServerEvent, Term } from './types.ts'

/** The credential that opened a queue, or made a poll. */
export interface Access {
  /** Absent in queues that older versions saved. */
  readonly openedWith?: CredentialKind
  /** `Session.id`; absent unless it is a session, and in queues that older versions saved. */
  readonly sessionId?: string
}

/** The options a client registered a queue with. All of it survives a restart. */
export interface QueueRequest extends Access {
  readonly userId: number
  readonly client: string
  readonly applyMarkdown: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: readonly Capability[]
  /** Null: events of every type. */
  readonly eventTypes: readonly string[] | null
  /** The narrow as the client sent it; empty: all messages. */
  readonly narrow: readonly Term[]
  readonly allPublicChannels: boolean
  readonly lifespanSeconds: number
}

export interface LiveQueue extends QueueView, QueueMemory, JournalQueue {
  readonly request: QueueRequest
  readonly userId: number
  /** Whether the registry has it. */
  isOpen: boolean
  /** The events that the client can get and has not acknowledged yet. */
  readonly bodies: Body[]
  readonly ids: number[]
  lastEventId: number
  acknowledgedId: number
  /** What waits for its events. */
  parked: Poll | Stream | undefined
  /** When the client last polled, in milliseconds since the epoch. */
  lastContact: number
  /** Whether its user counts as reading along in it: it gets messages, and was polled lately. */
  isOnline: boolean
  /** The ranges of messages that its client may lack, as stored. */
  stretches: readonly Stretch[]
  /** The part of the stretches that has not been looked up yet; empty: the client is not away. */
  ahead: readonly Stretch[]
  /** The events other than messages since the first message that was not looked up. */
  readonly waiting: Unread
  /** While the client is away: the moment that determines the IDs of its events. */
  fixed: { -readonly [K in keyof Moment]: Moment[K] } | undefined
  /** The events that its client gets when it is back. */
  greeting: ServerEvent | undefined
}

/** A request that waits for events and ends with the first ones. */
export interface Poll extends Access {
  /** Replies once. @param events a JSON array */
  reply(events: string): void
  /** Replies that the queue does not exist anymore. */
  fail(error: ApiError): void
}

/** A request that gets all events as they come. */
export interface Reader extends Access {
  /**
   * Passes events on.
   *
   * @param events a JSON array
   * @param newest the ID of the last one
   * @returns whether more may follow immediately; otherwise once the client has read these
   */
  send(events: string, newest: number): boolean
  /** Shows that the connection is alive. */
  beat(): void
  /** Ends the stream; its client connects again. */
  end(): void
  /** Ends the stream because the queue does not exist anymore. */
  fail(error: ApiError): void
}

/** A reader and how far it has come. */
export interface Stream extends Reader {
  /** The ID of the newest event that it was sent. */
  sentId: number
  /** Whether its client reads as fast as it is sent events. */
  isFlowing: boolean
  /** Since when its client has events that it has not acknowledged, in milliseconds. */
  unacknowledgedSince: number | undefined
  /** How much of what it was sent its client has not acknowledged, in bytes. */
  unacknowledgedBytes: number
}

export function isStream(waiting: Poll | Stream): waiting is Stream {
  return 'send' in waiting
}

/** Whether the client has not polled for a while: its messages are looked up at its next poll. */
export function isAway({ ahead }: Pick<LiveQueue, 'ahead'>): boolean {
  return ahead.length > 0
}

export function getsMessages({ eventTypes }: Pick<QueueRequest, 'eventTypes'>): boolean {
  return eventTypes === null || eventTypes.includes('message')
}
