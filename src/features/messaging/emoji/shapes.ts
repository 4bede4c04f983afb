import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get all custom emoji" */
export const emojiShape = shape.named('RealmEmoji', {
  id: shape.string,
  name: shape.string,
  source_url: shape.string,
  still_url: shape.noted(
    shape.nullable(shape.string),
    'The still image of an animated emoji; null for others.',
  ),
  deactivated: shape.boolean,
  author_id: shape.nullable(shape.integer),
})

export const emojiMapShape = shape.noted(shape.record(emojiShape), 'By id.')

export const emojiEventShapes = [
  shape.event('CustomEmojiAddEvent', 'realm_emoji', { op: shape.choice('add'), emoji: emojiShape }),
  shape.event('CustomEmojiUpdateOneEvent', 'realm_emoji', {
    op: shape.choice('update_one'),
    emoji_id: shape.string,
    data: shape.object({ deactivated: shape.boolean }),
  }),
  shape.event('CustomEmojiUpdateEvent', 'realm_emoji', {
    op: shape.choice('update'),
    realm_emoji: emojiMapShape,
  }),
]
