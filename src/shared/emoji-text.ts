/** The path of the extra emoji's picture, at which the mobile app expects it. */
export const extraEmojiPath = '/static/generated/emoji/images/emoji/unicode/zulip.png'

/**
 * The characters of a Unicode emoji, with the selectors that make pictures of symbols.
 *
 * @param code hexadecimal code points joined by `-`, as emoji-datasource's non-qualified form
 * @returns an empty text for anything else
 */
export function emojiText(code: string): string {
  if (!/^[0-9a-f]{1,5}(-[0-9a-f]{1,5})*$/i.test(code)) return ''
  const points = code.split('-').map((point) => String.fromCodePoint(Number.parseInt(point, 16)))
  const selector = '\ufe0f'
  return points
    .map((point) => {
      const isText = /^\p{Emoji}$/u.test(point) && !/^\p{Emoji_Presentation}$/u.test(point)
      return isText ? point + selector : point
    })
    .join('')
}
