import * as shape from '#platform/shape.ts'

/** Hours of the week without notifications. */
const scheduleShape = shape.named('QuietSchedule', {
  days: shape.noted(
    shape.list(shape.integer),
    'The days on which the hours begin, ascending; 0 is Sunday.',
  ),
  start_minute: shape.noted(shape.integer, 'Since midnight.'),
  end_minute: shape.noted(
    shape.integer,
    'Since midnight: of the next day unless it is after `start_minute`.',
  ),
  timezone: shape.noted(shape.string, 'An IANA identifier.'),
})

/** When the user wants no notifications. */
export const quietTimesShape = shape.named('QuietTimes', {
  paused_until: shape.noted(
    shape.nullable(shape.integer),
    'When a pause of notifications ends, in seconds since the epoch; null: there is none.',
  ),
  schedule: shape.noted(shape.nullable(scheduleShape), 'null: no quiet hours.'),
})

export const quietTimesEventShapes = [
  shape.event('QuietTimesEvent', 'quiet_times', { quiet_times: quietTimesShape }),
]
