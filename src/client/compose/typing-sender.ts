import type { App } from '#client/app.ts'
import { type Conversation, conversationKey } from '#client/state/model.ts'

/** Tells others that the user writes, as often as the server wants to hear it. */
export interface TypingSender {
  /** Something was typed here. */
  typed(conversation: Conversation): void
  /** The text was sent, thrown away or left. */
  stop(): void
}

export function createTypingSender(app: App): TypingSender {
  let current: { conversation: Conversation; startedAt: number } | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  function stop(): void {
    clearTimeout(silence)
    if (current) tell(current.conversation, 'stop')
    current = undefined
  }

  function tell(conversation: Conversation, op: 'start' | 'stop'): void {
    const params =
      conversation.kind === 'direct'
        ? { type: 'direct', to: conversation.userIds }
        : { type: 'channel', stream_id: conversation.channelId, topic: conversation.topic }
    // Nobody misses one that is lost.
    app.api.post('/typing', { op, ...params }).catch(() => undefined)
  }

  return {
    stop,
    typed(conversation) {
      const { settings, realm } = app.store
      const isWanted =
        conversation.kind === 'direct'
          ? settings.peek().send_private_typing_notifications
          : settings.peek().send_stream_typing_notifications
      if (!isWanted) return
      const facts = realm.peek()
      const isSame =
        current && conversationKey(current.conversation) === conversationKey(conversation)
      if (!isSame) stop()
      const now = Date.now()
      const interval = facts.server_typing_started_wait_period_milliseconds
      if (!current || now - current.startedAt >= interval) {
        current = { conversation, startedAt: now }
        tell(conversation, 'start')
      }
      clearTimeout(silence)
      silence = setTimeout(stop, facts.server_typing_stopped_wait_period_milliseconds)
    },
  }
}
