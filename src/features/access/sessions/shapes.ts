import * as shape from '#platform/shape.ts'

/** A browser in which somebody is logged in. */
export const sessionShape = shape.named('Session', {
  id: shape.noted(shape.string, 'Names the session; it does not open it.'),
  created: shape.noted(
    shape.nullable(shape.timestamp),
    'The log-in, in seconds since the epoch; null for sessions of earlier versions.',
  ),
  last_used: shape.noted(
    shape.integer,
    'Seconds since the epoch. Exact to a day, since a use is stored once a day.',
  ),
  device: shape.noted(shape.string, "The browser's `User-Agent`, at most 300 characters."),
  device_name: shape.noted(
    shape.string,
    'Browser and system, as people say it: `Firefox, Linux`; empty if they are not known.',
  ),
  is_current: shape.noted(shape.boolean, 'Whether this request belongs to it.'),
})
