import type { ReadonlySignal } from '@preact/signals-core'
import type { Conversation } from '#client/state/model.ts'

/** A pending message. Kept in the browser's storage until the server has it. */
export interface Outgoing {
  /** Sent as `local_id`; comes back as `local_message_id` in the event of the message. */
  readonly localId: string
  readonly conversation: Conversation
  /** Markdown, shown as plain text. */
  readonly content: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** `waiting` is shown after half a second; `slow` offers a retry; `failed` has a `problem`. */
  readonly state: 'hidden' | 'waiting' | 'slow' | 'failed'
  readonly problem: string | undefined
}

export interface Outbox {
  readonly messages: ReadonlySignal<readonly Outgoing[]>
  /** Returns its local id. */
  send(conversation: Conversation, content: string): string
  retry(localId: string): void
  /** Takes back a failed message, to edit it. */
  take(localId: string): Outgoing | undefined
}
