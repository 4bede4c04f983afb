import type { Context } from '#platform/context.ts'
import type { WireEvent } from '#platform/events/types.ts'
import { versionFacts } from './server-facts.json.ts'

/**
 * The server restarted, perhaps with a different version.
 *
 * @source Zulip API, "Get events", type "restart"
 */
export interface RestartEvent extends WireEvent, ReturnType<typeof versionFacts> {
  type: 'restart'
  server_generation: number
}

export function restartEvent(server: Context): RestartEvent {
  return { type: 'restart', ...versionFacts(server), server_generation: server.startedAt }
}
