const mib = 1024 * 1024

/** What the event queues of a server may cost. */
export interface QueueLimits {
  /** The most queues of one account: with one more, the one that nobody polled for longest goes. */
  readonly perUser: number
  /** The most memory of one queue, in bytes. */
  readonly queueBytes: number
  /** The most memory of the queues of one account, each counted as if it shared nothing. */
  readonly userBytes: number
  /** The most memory of all queues, in bytes; events that queues share count once. */
  readonly totalBytes: number
  /** The most that one answer of `GET /events` brings, in bytes, unless it is a single event. */
  readonly answerBytes: number
  /** The most that a shutdown saves for the next start, in bytes. */
  readonly savedBytes: number
}

/**
 * A queue that would exceed a limit is closed: its next poll gets BAD_EVENT_QUEUE_ID, and its
 * client registers anew.
 *
 * @source Zulip API, "Get events from an event queue", BAD_EVENT_QUEUE_ID
 */
export const queueLimits: QueueLimits = {
  perUser: 100,
  queueBytes: 8 * mib,
  userBytes: 32 * mib,
  totalBytes: 128 * mib,
  answerBytes: mib,
  savedBytes: 64 * mib,
}
