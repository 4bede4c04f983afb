/** The colors of new subscriptions. */
const palette = [
  '#3a86c8',
  '#d1495b',
  '#5fa55a',
  '#e09f3e',
  '#8d6cab',
  '#2a9d8f',
  '#c77b58',
  '#6d7f93',
  '#b5579c',
  '#8aa629',
  '#4f6db8',
  '#cf6a87',
  '#469990',
  '#b98b2f',
  '#7b5ea7',
  '#d9776a',
  '#4c9bd4',
  '#7a8c3e',
  '#a0636e',
  '#3f7f93',
  '#c4913c',
  '#6b8fd6',
  '#9a7b4f',
  '#58a07c',
] as const

/** A color for a new subscription: the first that the user's other subscriptions do not use. */
export function freeColor(used: ReadonlySet<string>): string {
  return (
    palette.find((color) => !used.has(color)) ?? palette[used.size % palette.length] ?? '#888888'
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
