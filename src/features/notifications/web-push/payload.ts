/** The payload for the service worker of the web client. */
export type WebPayload =
  | {
      readonly type: 'message' | 'test'
      readonly title: string
      readonly body: string
      /** The path that a click opens, with its fragment. */
      readonly url: string
      /** Notifications with the same tag replace each other: one for each conversation. */
      readonly tag: string
      /** The path of a picture. */
      readonly icon: string
      /** The message that it is about; null in a test. */
      readonly message_id: number | null
      /** The number of unread messages for the icon of the app; null: leave it as it is. */
      readonly count: number | null
    }
  | {
      readonly type: 'remove'
      /** The messages to remove, ascending. */
      readonly message_ids: readonly number[]
      readonly count: number | null
    }

/** The same payload with as much of its text as fits. @param most of its JSON, in bytes of UTF-8 */
export function withShorterBody(payload: WebPayload, most: number): WebPayload {
  if (payload.type === 'remove') return payload
  const excess = () => Buffer.byteLength(JSON.stringify({ ...payload, body })) - most
  let { body } = payload
  for (let over = excess(); over > 0 && body.length > 1; over = excess()) {
    // A character takes six bytes at most, escaped.
    const characters = [...body]
    const kept = Math.max(0, characters.length - 2 - Math.floor(over / 6))
    body = kept === 0 ? '' : `${characters.slice(0, kept).join('')}…`
  }
  return { ...payload, body }
}
