import { boolean, integer, named, noted, nullable, record, string } from '#shape.ts'

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
