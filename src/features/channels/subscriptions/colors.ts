import { automaticColors } from '#shared/channel-colors.ts'

/** A color for a new subscription: the first that the user's other subscriptions do not use. */
export function freeColor(used: ReadonlySet<string>): string {
  return (
    automaticColors.find((color) => !used.has(color)) ??
    automaticColors[used.size % automaticColors.length] ??
    '#888888'
  )
}

const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Whether a text is a color, `#rgb` or `#rrggbb`. */
export function isColor(text: string): boolean {
  return hex.test(text)
}

/** A valid color in the one form that clients get, `#rrggbb` in lower case: some parse no other. */
export function fullColor(color: string): string {
  const digits = color.slice(1).toLowerCase()
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}
