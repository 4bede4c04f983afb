import type { App } from '#client/app.ts'
import { systemClock } from '#client/state/clock.ts'
import { createEventStream } from '#client/state/event-stream.ts'

/** Gets events by streams from now on. */
export function useStreams({ api, machine, store }: Pick<App, 'api' | 'machine' | 'store'>): void {
  machine.useStreams(
    createEventStream({
      api,
      clock: systemClock,
      open({ queue_id, last_event_id }, signal) {
        const params = new URLSearchParams({ queue_id, last_event_id: String(last_event_id) })
        return fetch(`/json/events/stream?${params}`, { signal })
      },
      silenceSeconds: () => store.realm.peek().event_queue_longpoll_timeout_seconds,
    }),
  )
}
