import type { App } from '#client/app.ts'

/**
 * Fetches the subscribers of a channel, if the registration had only some of them. Events keep them
 * current from then on.
 *
 * @throws CallError
 */
export async function loadSubscribers({ api, store }: App, channelId: number): Promise<void> {
  for (;;) {
    const before = store.subscribers.peek(channelId)
    if (before?.all) return
    const { subscribers } = await api.get<{ subscribers: number[] }>(
      `/streams/${channelId}/members`,
    )
    // An event meanwhile may be newer than the answer.
    if (store.subscribers.peek(channelId) === before) {
      store.takeSubscribers(channelId, subscribers)
      return
    }
  }
}
