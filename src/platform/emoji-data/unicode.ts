import { unicodeNames } from './unicode-names.cjs'

/*
 * unicode-names.json: every emoji up to Unicode 15.0 without skin tones, in the order of emoji
 * pickers. Codes are emoji-datasource's non-qualified form. Names are those that Zulip clients send
 * and show; newer emoji have CLDR, GitHub and JoyPixels shortcodes (from emojibase). Names are
 * unique.
 */

let codes: Map<string, string> | undefined

/** The code of a Unicode emoji (`1f44d`, `1f937-200d-2640`) by any of its names, or undefined. */
export function emojiByName(name: string): string | undefined {
  codes ??= new Map(
    Object.entries(unicodeNames()).flatMap(([code, names = []]) =>
      names.map((each) => [each, code]),
    ),
  )
  return codes.get(name)
}

/** The names of an emoji, the canonical one first; empty if the code is unknown. */
export function emojiNames(code: string): readonly string[] {
  const names = unicodeNames()
  return (Object.hasOwn(names, code) && names[code]) || []
}

/**
 * The code of the emoji with these characters, with or without variation selectors; undefined if
 * unknown, as for emoji with a skin tone.
 */
export function emojiOfCharacters(characters: string): string | undefined {
  const points: string[] = []
  for (const character of characters) {
    const hex = (character.codePointAt(0) ?? 0).toString(16)
    if (hex !== 'fe0f') points.push(hex.padStart(4, '0'))
  }
  const code = points.join('-')
  return emojiNames(code).length > 0 ? code : undefined
}

/** The content of `server_emoji_data_url`: `{"code_to_names": {"1f600": ["grinning"]}}`. */
export function emojiData(): {
  code_to_names: Record<string, readonly string[] | undefined>
} {
  return { code_to_names: unicodeNames() }
}
