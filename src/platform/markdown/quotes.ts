import { longerMarks } from '#shared/code-marks.ts'

/**
 * A Markdown quote block that is safe for any text.
 *
 * @param most the maximum length of the text, in Unicode code points; longer text is cut off
 */
export function quoteBlock(text: string, most = Number.POSITIVE_INFINITY): string {
  const characters = text.length > most ? [...text] : undefined
  const shown = characters && characters.length > most ? `${cut(characters, most)}…` : text
  const marks = longerMarks(shown, 3)
  return `${marks} quote\n${shown}\n${marks}`
}

function cut(characters: readonly string[], most: number): string {
  return characters.slice(0, Math.max(0, most - 1)).join('')
}
