import type { Api } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Message } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'

interface Parts {
  readonly store: Store
  readonly api: Api
}

/** A message that need not be in any list. Undefined if it is gone, hidden or not available. */
export async function findMessage(parts: Parts, id: number): Promise<Message | undefined> {
  return await lookUpMessage(parts, id).catch(() => undefined)
}

/** The same. @throws CallError why there is none */
export async function lookUpMessage(
  { store, api }: Parts,
  id: number,
): Promise<Message | undefined> {
  const known = store.messages.peek(id)
  if (known) return known
  const params = { allow_empty_topic_name: true }
  const reply = await api.get<{ message: WireMessage }>(`/messages/${id}`, params)
  store.addMessages([messageFromWire(reply.message, store.selfId)])
  return store.messages.peek(id)
}
