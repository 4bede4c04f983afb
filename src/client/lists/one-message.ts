import type { Api } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Message } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'

/** A message that need not be in any list. Undefined if it is gone, hidden or not available. */
export async function findMessage(
  { store, api }: { readonly store: Store; readonly api: Api },
  id: number,
): Promise<Message | undefined> {
  const known = store.messages.peek(id)
  if (known) return known
  const params = { allow_empty_topic_name: true }
  try {
    const reply = await api.get<{ message: WireMessage }>(`/messages/${id}`, params)
    store.addMessages([messageFromWire(reply.message, store.selfId)])
  } catch {
    return undefined
  }
  return store.messages.peek(id)
}
