/** Where the picture of a custom emoji is served, without authentication (clients.md §4). */
export function emojiUrl(fileName: string): string {
  return `/user_avatars/1/emoji/images/${fileName}`
}
