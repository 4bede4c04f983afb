import { presenceTimes } from '#features/foundation/realm/times.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Presence } from './queries.ts'
import type { legacyPresenceShape, slimPresenceShape } from './shapes.ts'

/** The modern format, by user ID. */
export type SlimPresence = Shaped<typeof slimPresenceShape>

/** The legacy format, by API address. It lists one client, always named `website`. */
export type LegacyPresence = Shaped<typeof legacyPresenceShape>

export function slimPresence({ activeAt, connectedAt }: Presence): SlimPresence {
  return { active_timestamp: activeAt, idle_timestamp: connectedAt }
}

/**
 * The legacy format has one status: active until the user was idle for longer than the offline
 * limit.
 */
export function legacyPresence({ activeAt, connectedAt }: Presence): LegacyPresence {
  const isActive = connectedAt - activeAt <= presenceTimes.offlineSeconds
  const aggregated: LegacyPresence['aggregated'] = {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? activeAt : connectedAt,
  }
  return { website: { ...aggregated, pushable: false }, aggregated }
}

/** Presences by user ID, or by API address in the legacy format. */
export function presencesJson(
  presences: readonly Presence[],
  slim: boolean,
): Record<string, SlimPresence> | Record<string, LegacyPresence> {
  if (!slim) return legacyPresencesJson(presences)
  return Object.fromEntries(presences.map((presence) => [presence.userId, slimPresence(presence)]))
}

/** The newest update of these and of the one that a client has. @param known -1: it has none */
export function newestUpdateId(presences: readonly Presence[], known: number): number {
  return presences.reduce((newest, { updateId }) => Math.max(newest, updateId), known)
}

export function legacyPresencesJson(
  presences: readonly Presence[],
): Record<string, LegacyPresence> {
  return Object.fromEntries(
    presences.map((presence) => [presence.apiEmail, legacyPresence(presence)]),
  )
}
