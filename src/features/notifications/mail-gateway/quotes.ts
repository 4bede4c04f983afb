/** A line that begins the mail that is answered, as Outlook and its like write it. */
const separators = [
  /^-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|originalnachricht|message d'origine|mensaje original)\s*-{2,}$/i,
  /^_{20,}$/,
]
/** Headers of the mail that is answered, in the languages that Outlook writes most. */
const header =
  /^\*{0,2}(?:from|von|de|da|van|från|sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|date|datum|to|an|à|para|a|aan|till|subject|betreff|objet|asunto|oggetto|onderwerp|ämne|cc)\*{0,2}:\*{0,2}\s/i
const firstHeader = /^\*{0,2}(?:from|von|de|da|van|från)\*{0,2}:\*{0,2}\s/i

/**
 * The words of an answer without the mail that it answers: the part after a separator, a block of
 * headers or an attribution without a quote, and a quote at the end with its attribution. Quotes with
 * answers between them stay.
 *
 * @param text lines end with `\n`
 */
export function stripReply(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const following = nextWords(lines)
  const cut = lines.findIndex((line, i) => beginsOriginal(line, following[i] ?? ''))
  const kept = cut < 0 ? lines : lines.slice(0, cut)
  const attributed = kept.findIndex((_, i) => endsBareAttribution(kept, i, following[i] ?? ''))
  const own = attributed < 0 ? kept : withoutAttribution(kept.slice(0, attributed + 1))
  return withoutLastQuote(own).join('\n').trimEnd()
}

/** For each line, the next one that is not empty; '' after the last. */
function nextWords(lines: readonly string[]): string[] {
  let next = ''
  const found = lines.toReversed().map((line) => {
    const after = next
    next = line || next
    return after
  })
  return found.reverse()
}

function beginsOriginal(line: string, next: string): boolean {
  if (separators[0]?.test(line)) return true
  if (separators[1]?.test(line)) return firstHeader.test(next)
  // One "From: " may be the author's own words; two headers in a row are not.
  return firstHeader.test(line) && header.test(next)
}

/**
 * Whether a line ends an attribution with an address, below which the mail stands without `>`, as
 * Yahoo and Outlook write it.
 */
function endsBareAttribution(lines: readonly string[], at: number, next: string): boolean {
  if (!lines[at]?.endsWith(':') || next === '' || next.startsWith('>')) return false
  const above = lines.slice(Math.max(0, at - 2), at + 1)
  const rest = withoutAttribution(above)
  return rest !== above && /<[^\s<>@]+@[^\s<>]+>/.test(above.slice(rest.length).join(' '))
}

/** Cuts a quote that nothing follows, and the lines above it that end with `wrote:`. */
function withoutLastQuote(lines: readonly string[]): readonly string[] {
  let end = lines.length
  while (end > 0 && isQuoteOrEmpty(lines[end - 1])) end--
  if (!lines.slice(end).some((line) => line.startsWith('>'))) return lines
  return withoutAttribution(lines.slice(0, end))
}

const isQuoteOrEmpty = (line = '') => line === '' || line.startsWith('>')

/** The attribution ends with a colon; programs wrap it to up to three lines. */
function withoutAttribution(lines: readonly string[]): readonly string[] {
  if (!lines.at(-1)?.endsWith(':')) return lines
  for (let length = 1; length <= 3; length++) {
    const part = lines.slice(-length)
    if (part.includes('')) break
    const sentence = part.join(' ')
    if (isAttribution(sentence)) return lines.slice(0, -length)
  }
  return lines
}

/** `On Sun, 22 Nov 2026 at 10:00, Ada <ada@example.com> wrote:`, in any language: a year or an address. */
function isAttribution(sentence: string): boolean {
  const begins = /^(?:on|am|le|el|il|op|den|em|w dniu|dne|\d{4}|\d{1,2}[./])/i.test(sentence)
  return begins && /\b\d{4}\b|@|\d{1,2}:\d{2}/.test(sentence)
}
