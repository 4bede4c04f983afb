const textSpecial = /[&<>]/g
const attributeSpecial = /[&<>"]/g
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes for the inside of an element. Quotation marks stay as they are. */
export function escapeHtml(text: string): string {
  return text.replace(textSpecial, (char) => entities[char] ?? char)
}

/** Escapes for a double-quoted attribute. */
export function escapeAttribute(text: string): string {
  return text.replace(attributeSpecial, (char) => entities[char] ?? char)
}
