/** Where the picture of a custom emoji is served, without authentication (clients.md §4). */
export function emojiUrl(fileName: string): string {
  return `/user_avatars/1/emoji/images/${fileName}`
}

/** Where clients get the names of all unicode emoji (`server_emoji_data_url`). */
export const emojiDataPath = '/static/emoji/names.json'

/** Where zulip-flutter looks for the picture of the one extra emoji. */
export const extraEmojiPath = '/static/generated/emoji/images/emoji/unicode/zulip.png'
