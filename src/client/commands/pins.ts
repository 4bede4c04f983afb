import { useEffect } from 'preact/hooks'
import type { PinnedMessage } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { type Conversation, conversationKey, type Message } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { attempt, tellWithUndo } from './attempt.ts'

/** Where messages are pinned: a conversation, or all topics of a channel. */
export type PinPlace = Conversation | { readonly kind: 'channel'; readonly channelId: number }

const keyOf = (place: PinPlace) =>
  place.kind === 'channel' ? `channel:${place.channelId}` : conversationKey(place)

/**
 * The pins of a place, the last pinned first; none until they are fetched. They are fetched again
 * when a pin changes.
 */
export function usePins(app: App, asked: PinPlace | undefined): readonly PinnedMessage[] {
  // The server would refuse to list those of a channel that does not exist.
  const isThere = asked && (asked.kind === 'direct' || app.store.channels.get(asked.channelId))
  const place = isThere ? asked : undefined
  const key = place && keyOf(place)
  const { pins, revisions } = app.store
  const revision = revisions.get('pins')
  useEffect(() => {
    if (!place) return
    let isOver = false
    fetchPins(app, place).then(
      (found) => {
        if (!isOver) pins.set(keyOf(place), found)
      },
      // Without a connection, the known pins stay.
      () => undefined,
    )
    const stop = app.store.onMessages((change) => {
      const isGone = change.kind === 'deleted' || change.kind === 'moved'
      if (!isGone) return
      const known = pins.peek(keyOf(place)) ?? []
      if (known.some(({ message_id }) => change.ids.includes(message_id))) refresh(app)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [app, key, revision])
  return (key !== undefined && pins.get(key)) || []
}

function refresh({ store }: App): void {
  store.revisions.set('pins', (store.revisions.peek('pins') ?? 0) + 1)
}

async function fetchPins({ api }: App, place: PinPlace): Promise<readonly PinnedMessage[]> {
  const params =
    place.kind === 'direct'
      ? { user_ids: place.userIds }
      : { stream_id: place.channelId, ...(place.kind === 'topic' && { topic: place.topic }) }
  const reply = await api.get<{ pinned_messages: PinnedMessage[] }>('/pinned_messages', params)
  return reply.pinned_messages
}

/** Whether a message is pinned, as far as the pins of its conversation are known. */
export function isPinned({ pins }: Store, { id, conversation }: Message): boolean {
  return pins.get(keyOf(conversation))?.some((pin) => pin.message_id === id) ?? false
}

/** Pins a message for everyone, or removes its pin. */
export async function togglePin(app: App, message: Message): Promise<void> {
  const pin = () => app.api.post(`/messages/${message.id}/pin`)
  const unpin = () => app.api.delete(`/messages/${message.id}/pin`)
  const was = isPinned(app.store, message)
  if (!(await attempt(app, was ? unpin() : pin()))) return
  tellWithUndo(app, was ? t('Message unpinned.') : t('Message pinned.'), was ? pin : unpin)
}
