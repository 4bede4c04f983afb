/**
 * Skin tones. The server's emoji have none: a reaction is the plain emoji, and so is a name in a
 * message. In a text, the characters themselves are inserted, which messages show.
 */

/** The modifiers, from light to dark, after none. */
export const skinTones = [
  '',
  '\u{1f3fb}',
  '\u{1f3fc}',
  '\u{1f3fd}',
  '\u{1f3fe}',
  '\u{1f3ff}',
] as const

const storageKey = 'parley:skin-tone'

/** The choice of this browser's user, as an index; 0 for none. */
export function chosenTone(): number {
  try {
    const index = Number(localStorage.getItem(storageKey))
    return skinTones[index] === undefined ? 0 : index
  } catch {
    return 0
  }
}

export function chooseTone(index: number): void {
  try {
    localStorage.setItem(storageKey, String(index))
  } catch {
    // Without storage it lasts as long as the picker.
  }
}

const base = /^(\p{Emoji_Modifier_Base})\ufe0f?/u

/** The characters of an emoji in a skin tone; undefined: it has none. */
export function toned(text: string, tone: number): string | undefined {
  const modifier = skinTones[tone]
  // Emoji of several people stay as they are, since each person could have a different tone.
  if (!modifier || !base.test(text) || isOfSeveral(text)) return undefined
  return text.replace(base, (_, emoji: string) => emoji + modifier)
}

function isOfSeveral(text: string): boolean {
  return (text.match(/\p{Emoji_Modifier_Base}/gu)?.length ?? 0) > 1
}
