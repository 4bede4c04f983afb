/** Stands for the byte of a backslash in names of zip archives that are not in UTF-8. */
export const halfCharacter = '\uff3c'

/** The upper half of the encoding that zip archives have names in by default (code page 437). */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** A name in UTF-8, as most are, or one of another encoding as zip archives have it by default. */
export function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const characters = Array.from(bytes, (byte) =>
      byte === 0x5c
        ? halfCharacter
        : byte < 0x80
          ? String.fromCharCode(byte)
          : upperHalf.charAt(byte - 0x80),
    )
    return characters.join('')
  }
}

/** The encodings of systems whose own tools make such archives. */
const encodings = [
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1251',
  'windows-1252',
] as const

/** What a name that was read by the default encoding may be in those of other systems. */
export function otherReadings(name: string): string[] {
  const bytes: number[] = []
  for (const character of name.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0
    const upper = upperHalf.indexOf(character)
    if (character === halfCharacter) bytes.push(0x5c)
    else if (code < 0x80) bytes.push(code)
    else if (upper >= 0) bytes.push(0x80 + upper)
    else return []
  }
  return encodings.flatMap((encoding) => {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(Uint8Array.from(bytes))
      return text === name ? [] : [text.normalize()]
    } catch {
      return []
    }
  })
}
