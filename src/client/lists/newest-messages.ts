import type { Api } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Store } from '#client/state/store.ts'

/** How many messages are asked for at a time. */
const most = 100

/**
 * Fetches those of some messages that the store does not have, the first hundred of them. A message
 * that is not available is left out: its row shows no text.
 */
export async function fetchMissing(
  { store, api }: { readonly store: Store; readonly api: Api },
  ids: readonly number[],
): Promise<void> {
  const missing = ids.filter((id) => !store.messages.peek(id)).slice(0, most)
  if (missing.length === 0) return
  const params = { message_ids: missing, allow_empty_topic_name: true }
  try {
    const reply = await api.get<{ messages: readonly WireMessage[] }>('/messages', params)
    store.addMessages(reply.messages.map((message) => messageFromWire(message, store.selfId)))
  } catch {
    // The next opening of the view tries again.
  }
}
