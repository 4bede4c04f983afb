import { presenceTimes } from '#realm/times.ts'
import type { Shaped } from '#shape.ts'
import type { Presence } from './queries.ts'
import type { legacyPresenceShape, slimPresenceShape } from './shapes.ts'

/** The form of today's clients, by user id. */
export type SlimPresence = Shaped<typeof slimPresenceShape>

/** The form of older clients, by API address; there is one client, called `website`. */
export type LegacyPresence = Shaped<typeof legacyPresenceShape>

interface ClientPresence {
  client: 'website'
  status: 'active' | 'idle'
  timestamp: number
}

export function slimPresence({ activeAt, connectedAt }: Presence): SlimPresence {
  return { active_timestamp: activeAt, idle_timestamp: connectedAt }
}

/** Who was active until lately is still active as far as older clients can tell. */
export function legacyPresence({ activeAt, connectedAt }: Presence): LegacyPresence {
  const isActive = connectedAt - activeAt <= presenceTimes.offlineSeconds
  const aggregated: ClientPresence = {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? activeAt : connectedAt,
  }
  return { website: { ...aggregated, pushable: false }, aggregated }
}

/** Presences by id, or by address in the form of older clients. */
export function presencesJson(
  presences: readonly Presence[],
  slim: boolean,
): Record<string, SlimPresence> | Record<string, LegacyPresence> {
  if (!slim) return legacyPresencesJson(presences)
  return Object.fromEntries(presences.map((presence) => [presence.userId, slimPresence(presence)]))
}

export function legacyPresencesJson(
  presences: readonly Presence[],
): Record<string, LegacyPresence> {
  return Object.fromEntries(
    presences.map((presence) => [presence.apiEmail, legacyPresence(presence)]),
  )
}
