import {
  always,
  choice,
  either,
  event,
  integer,
  named,
  noted,
  number,
  record,
  string,
  timestamp,
} from '#shape.ts'

const status = { status: choice('active', 'idle'), timestamp }
const client = { client: choice('website'), ...status }
const website = named('WebsitePresence', { ...client, pushable: always(false) })

export const slimPresenceShape = named('Presence', {
  active_timestamp: timestamp,
  idle_timestamp: timestamp,
})
export const legacyPresenceShape = named('LegacyPresence', {
  website,
  aggregated: named('AggregatedPresence', client),
})

/** Of many people. */
export const presencesShape = noted(
  either(record(slimPresenceShape), record(legacyPresenceShape)),
  'By user id in the slim form, by API email in the other.',
)

export const serverTimestamp = noted(number, 'Seconds since the epoch, with a fraction.')

/** Of one person, as `GET /users/{id}/presence` answers. */
export const onePresenceShape = named('UserPresence', {
  website: named('PresenceStatus', status),
  aggregated: named('PresenceStatus', status),
})

export const legacyPresencesShape = record(legacyPresenceShape)

export const updateIdShape = noted(
  integer,
  'The newest change in it, to be sent as `last_update_id` next time.',
)

export const presenceEventShapes = [
  event('PresenceEvent', 'presence', {
    user_id: integer,
    email: noted(string, 'Deprecated: the API email.'),
    server_timestamp: serverTimestamp,
    presence: named('WebsitePresences', { website }),
  }),
  event('SimplifiedPresenceEvent', 'presence', { presences: record(slimPresenceShape) }),
]
