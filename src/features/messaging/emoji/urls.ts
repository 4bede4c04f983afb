/** The path of a custom emoji's picture. Clients load it without authentication. */
export function emojiUrl(fileName: string): string {
  return `/user_avatars/1/emoji/images/${fileName}`
}

/** The path of the names of all Unicode emoji (`server_emoji_data_url`). */
export const emojiDataPath = '/static/emoji/names.json'

/** The path at which the mobile app expects the picture of the extra emoji. */
export const extraEmojiPath = '/static/generated/emoji/images/emoji/unicode/zulip.png'
