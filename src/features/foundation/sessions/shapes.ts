import * as shape from '#platform/shape.ts'

/** A browser in which someone is logged in. */
export const sessionShape = shape.named('Session', {
  id: shape.noted(shape.string, 'Identifies the session; it cannot be used to log in.'),
  created: shape.noted(
    shape.nullable(shape.timestamp),
    'The time of the log-in, in seconds since the epoch; null for sessions of earlier versions.',
  ),
  last_used: shape.noted(
    shape.integer,
    'Seconds since the epoch. Exact to a day, since a use is stored once a day.',
  ),
  device: shape.noted(shape.string, "The browser's `User-Agent`, at most 300 characters."),
  device_name: shape.noted(
    shape.string,
    'Browser and system, as people call them: `Firefox, Linux`; empty if unknown.',
  ),
  is_current: shape.noted(shape.boolean, 'Whether this request was made in it.'),
})
