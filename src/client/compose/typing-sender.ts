import type { App } from '#client/app.ts'
import { type Conversation, conversationKey, type Message } from '#client/state/model.ts'

/** Sends typing notifications, as often as the server asks for. */
export interface TypingSender {
  /** Something was typed here. */
  typed(place: TypingPlace): void
  /** The text was sent, saved, thrown away or left. */
  stop(): void
}

/** The conversation of a typing notification, and its call. */
export interface TypingPlace {
  readonly key: string
  readonly isDirect: boolean
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A new message in a conversation. */
export function typingIn(conversation: Conversation): TypingPlace {
  const isDirect = conversation.kind === 'direct'
  const params = isDirect
    ? { type: 'direct', to: conversation.userIds }
    : { type: 'channel', stream_id: conversation.channelId, topic: conversation.topic }
  return { key: conversationKey(conversation), isDirect, path: '/typing', params }
}

/** An edit of a message. */
export function typingEdit({ id, conversation }: Message): TypingPlace {
  const isDirect = conversation.kind === 'direct'
  return { key: `message:${id}`, isDirect, path: `/messages/${id}/typing`, params: {} }
}

export function createTypingSender({ api, store }: Pick<App, 'api' | 'store'>): TypingSender {
  let current: { readonly place: TypingPlace; readonly startedAt: number } | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  function stop(): void {
    clearTimeout(silence)
    if (current) tell(current.place, 'stop')
    current = undefined
  }

  function tell({ path, params }: TypingPlace, op: 'start' | 'stop'): void {
    // A lost notice is not worth a retry.
    api.post(path, { op, ...params }).catch(() => undefined)
  }

  return {
    stop,
    typed(place) {
      const settings = store.settings.peek()
      const isWanted = place.isDirect
        ? settings.send_private_typing_notifications
        : settings.send_stream_typing_notifications
      if (!isWanted) return
      const facts = store.realm.peek()
      if (current && current.place.key !== place.key) stop()
      const now = Date.now()
      const interval = facts.server_typing_started_wait_period_milliseconds
      if (!current || now - current.startedAt >= interval) {
        current = { place, startedAt: now }
        tell(place, 'start')
      }
      clearTimeout(silence)
      silence = setTimeout(stop, facts.server_typing_stopped_wait_period_milliseconds)
    },
  }
}
