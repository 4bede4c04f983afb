const special = /[&<>]/g
const specialInText = /&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});)|[<>]/g
const specialInAttribute = /[&<>"]/g
const specialInCode = /[&<>"']/g
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const replacement = (char: string) => entities[char] ?? char

/** Escapes text for the content of an element. Quotation marks stay unescaped. */
export function escapeHtml(text: string): string {
  return text.replace(special, replacement)
}

/** The same for text by the author, whose HTML entities (`&copy;`) stay. */
export function escapeText(text: string): string {
  return text.replace(specialInText, replacement)
}

/** Escapes text for a double-quoted attribute. */
export function escapeAttribute(text: string): string {
  return text.replace(specialInAttribute, replacement)
}

/** Escapes a code block, including quotation marks, which clients expect to be escaped there. */
export function escapeCode(text: string): string {
  return text.replace(specialInCode, replacement)
}

const characters: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Decodes the entities that escaping creates, once. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
}
