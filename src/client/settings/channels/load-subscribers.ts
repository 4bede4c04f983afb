import type { App } from '#client/app.ts'

/**
 * Fetches who is subscribed to a channel, where the registration named only some of them. Events
 * keep it true from then on.
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
    // What an event told meanwhile may be newer than the answer.
    if (store.subscribers.peek(channelId) === before) {
      store.takeSubscribers(channelId, subscribers)
      return
    }
  }
}
