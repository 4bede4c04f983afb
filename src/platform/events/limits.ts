const mib = 1024 * 1024

/** What the event queues of a server may cost. */
export interface QueueLimits {
  /** The most queues per account. Opening one more closes the least recently polled one. */
  readonly perUser: number
  /** The most memory that one queue may use, in bytes. */
  readonly queueBytes: number
  /** The most memory of the queues of one account, each counted as if it shared nothing. */
  readonly userBytes: number
  /** The most memory of all queues, in bytes; events that queues share count once. */
  readonly totalBytes: number
  /** The largest reply to `GET /events`, in bytes; a single event may be larger. */
  readonly replyBytes: number
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
  replyBytes: mib,
}
