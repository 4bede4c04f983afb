/** How many characters a text has too many, as the server counts them. */
export function excess(text: string, most: number): number {
  return text.length > most ? Math.max(0, [...text].length - most) : 0
}

/** How many more characters fit; undefined while there is enough room not to think of it. */
export function roomLeft(text: string, most: number): number | undefined {
  if (text.length <= 0.9 * most) return undefined
  const left = most - [...text].length
  return left < 0.1 * most ? left : undefined
}
