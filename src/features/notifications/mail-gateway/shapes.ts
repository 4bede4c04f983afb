import * as shape from '#platform/shape.ts'

/** An email address of a channel, without the address itself. */
export const channelEmailAddressShape = shape.named('ChannelEmailAddress', {
  id: shape.noted(shape.string, 'Identifies the address without revealing it.'),
  stream_id: shape.integer,
  creator_id: shape.noted(shape.integer, 'The user who asked for the address.'),
  sender_id: shape.noted(
    shape.integer,
    "The sender of its messages: a user, one of that user's bots, or Email Gateway.",
  ),
  created: shape.noted(shape.timestamp, 'In seconds since the epoch.'),
})
