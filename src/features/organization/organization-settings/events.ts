import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/shape.ts'
import { versionFacts } from './server-facts.json.ts'
import type { realmEventShapes } from './shapes.ts'

/**
 * The server restarted, perhaps with a different version.
 *
 * @source Zulip API, "Get events", type "restart"
 */
export type RestartEvent = EventOf<typeof realmEventShapes, 'restart'>

export function restartEvent(server: Context): RestartEvent {
  return { type: 'restart', ...versionFacts(server), server_generation: server.startedAt }
}
