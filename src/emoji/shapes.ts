import {
  boolean,
  choice,
  event,
  integer,
  named,
  noted,
  nullable,
  object,
  record,
  string,
} from '#shape.ts'

/** @source the API description's `RealmEmoji` */
export const emojiShape = named('RealmEmoji', {
  id: string,
  name: string,
  source_url: string,
  still_url: noted(nullable(string), 'A picture that does not move, for an emoji that does.'),
  deactivated: boolean,
  author_id: nullable(integer),
})

export const emojiMapShape = noted(record(emojiShape), 'By id.')

export const emojiEventShapes = [
  event('CustomEmojiAddEvent', 'realm_emoji', { op: choice('add'), emoji: emojiShape }),
  event('CustomEmojiUpdateOneEvent', 'realm_emoji', {
    op: choice('update_one'),
    emoji_id: string,
    data: object({ deactivated: boolean }),
  }),
  event('CustomEmojiUpdateEvent', 'realm_emoji', {
    op: choice('update'),
    realm_emoji: emojiMapShape,
  }),
]
