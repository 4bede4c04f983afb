import * as shape from '#platform/shape.ts'

const status = { status: shape.choice('active', 'idle'), timestamp: shape.timestamp }
const client = { client: shape.choice('website'), ...status }
const website = shape.named('WebsitePresence', { ...client, pushable: shape.always(false) })

export const slimPresenceShape = shape.named('Presence', {
  active_timestamp: shape.timestamp,
  idle_timestamp: shape.timestamp,
})
export const legacyPresenceShape = shape.named('LegacyPresence', {
  website,
  aggregated: shape.named('AggregatedPresence', client),
})

/** The presences of many users. */
export const presencesShape = shape.noted(
  shape.either(shape.record(slimPresenceShape), shape.record(legacyPresenceShape)),
  'By user ID in the modern format, by API email in the legacy format.',
)

export const serverTimestamp = shape.noted(
  shape.number,
  'Seconds since the epoch, with a fraction.',
)

/** @source Zulip API, "Get a user's presence" */
export const onePresenceShape = shape.named('UserPresence', {
  website: shape.named('PresenceStatus', status),
  aggregated: shape.named('CurrentPresenceStatus', {
    status: shape.noted(
      shape.choice('active', 'idle', 'offline'),
      '`offline` if the last report is too old.',
    ),
    timestamp: shape.timestamp,
  }),
})

export const legacyPresencesShape = shape.record(legacyPresenceShape)

export const updateIdShape = shape.noted(
  shape.integer,
  'The newest update that the reply contains: the `last_update_id` of the next request.',
)

export const presenceEventShapes = [
  shape.event('PresenceEvent', 'presence', {
    user_id: shape.integer,
    email: shape.noted(shape.string, 'Deprecated: the API email.'),
    server_timestamp: serverTimestamp,
    presence: shape.named('WebsitePresences', { website }),
  }),
  shape.event('SimplifiedPresenceEvent', 'presence', {
    presences: shape.record(slimPresenceShape),
  }),
]
