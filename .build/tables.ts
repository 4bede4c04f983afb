/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('')
}

/** `20 000`. */
export const grouped = (value: number): string =>
  String(value).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ' ')

const names = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

/** Small numbers as words. */
export const inWords = (value: number): string => names[value] ?? grouped(value)
