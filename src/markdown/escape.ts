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

/** Escapes for the inside of an element. Quotation marks stay as they are. */
export function escapeHtml(text: string): string {
  return text.replace(special, replacement)
}

/** The same for what the author wrote as text, in which HTML's own entities (`&copy;`) stay. */
export function escapeText(text: string): string {
  return text.replace(specialInText, replacement)
}

/** Escapes for a double-quoted attribute. */
export function escapeAttribute(text: string): string {
  return text.replace(specialInAttribute, replacement)
}

/** Escapes for a block of code, quotation marks too, as clients have always got it. */
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

/** Undoes the entities of escaping, once. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
}
