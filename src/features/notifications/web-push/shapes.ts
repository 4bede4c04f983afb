import * as shape from '#platform/shape.ts'

/** A device that gets notifications by Web Push. */
export const subscriptionShape = shape.named('WebPushSubscription', {
  id: shape.integer,
  device: shape.noted(
    shape.string,
    "The browser's `User-Agent`, at most 300 characters, or the name of the program.",
  ),
  device_name: shape.noted(
    shape.string,
    'A readable name for it, such as `Firefox on Linux`; or empty.',
  ),
  service: shape.noted(shape.string, 'The host of the push service.'),
  urgency: shape.noted(
    shape.choice('normal', 'high'),
    'The lowest urgency of notifications that it gets.',
  ),
  created: shape.timestamp,
  last_success: shape.noted(
    shape.nullable(shape.timestamp),
    'When the push service last accepted a notification; null: never.',
  ),
  is_current: shape.noted(shape.boolean, 'Whether it was made in the session of this request.'),
})
