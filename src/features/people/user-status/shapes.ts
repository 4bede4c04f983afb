import * as shape from '#platform/shape.ts'

const members = shape.optionals({
  status_text: shape.string,
  emoji_name: shape.string,
  emoji_code: shape.string,
  reaction_type: shape.string,
  away: shape.noted(shape.boolean, 'Deprecated: whether the user hides their presence.'),
})

const endsAt = shape.noted(shape.integer, 'When it clears itself, in seconds since the epoch.')

/**
 * Without the parts that are unset.
 *
 * @source Zulip API, "Get a user's status"
 */
export const userStatusShape = shape.named('UserStatus', {
  ...members,
  scheduled_end_time: shape.extended(endsAt),
})

/** Cleared parts are empty strings. */
export const userStatusEventShapes = [
  shape.event('UserStatusEvent', 'user_status', {
    user_id: shape.integer,
    ...members,
    scheduled_end_time: shape.extended(shape.nullable(endsAt)),
  }),
]
