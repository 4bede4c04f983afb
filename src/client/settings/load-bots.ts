import type { RegisterReply } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'

/**
 * Fetches the user's bots, if the page began with stored data, which has none of their keys.
 *
 * @throws CallError
 */
export async function loadBots({ api, store }: Pick<App, 'api' | 'store'>): Promise<void> {
  while (!store.areBotsKnown) {
    const before = store.realm.peek().realm_bots
    const { queue_id, realm_bots } = await api.post<Pick<RegisterReply, 'queue_id' | 'realm_bots'>>(
      '/register',
      { event_types: [], fetch_event_types: ['realm_bot'] },
    )
    // Nobody polls this queue: events about bots come by the page's own.
    void api.delete('/events', { queue_id }).catch(() => undefined)
    // An event that came meanwhile may be about something later than the reply.
    if (store.realm.peek().realm_bots === before) store.takeBots(realm_bots)
  }
}
