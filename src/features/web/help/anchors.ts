/** What follows `#` in the address of a heading. @param taken the anchors of headings before it */
export function anchorOf(text: string, taken = new Set<string>()): string {
  const base = plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  let anchor = base
  for (let i = 2; taken.has(anchor); i++) anchor = `${base}-${i}`
  taken.add(anchor)
  return anchor
}

/** Text without the marks of Markdown that headings and sentences have. */
export const plain = (text: string) =>
  text
    .replaceAll(/[`*]/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
