/** The path of a custom emoji's picture. Clients load it without authentication. */
export function emojiUrl(fileName: string): string {
  return `/user_avatars/1/emoji/images/${fileName}`
}

/** The path of the names of all Unicode emoji (`server_emoji_data_url`). */
export const emojiDataPath = '/static/emoji/names.json'
