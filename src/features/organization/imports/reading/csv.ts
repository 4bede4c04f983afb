/**
 * Reads a table of comma-separated values as spreadsheets write it: with commas, semicolons or
 * tabs, values in quotes where needed, and a quote in them doubled.
 *
 * @returns rows of values without spaces around them; without empty rows
 */
export function parseCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source.slice(0, source.search(/\r|\n|$/)))
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let isQuoted = false
  const endValue = () => {
    row.push(value.trim())
    value = ''
  }
  const endRow = () => {
    endValue()
    if (row.some((each) => each !== '')) rows.push(row)
    row = []
  }
  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? ''
    if (isQuoted) {
      if (char !== '"') value += char
      else if (source[i + 1] === '"') value += source[++i] ?? ''
      else isQuoted = false
    } else if (char === '"' && value.trim() === '') {
      value = ''
      isQuoted = true
    } else if (char === separator) endValue()
    else if (char === '\n' || char === '\r') endRow()
    else value += char
  }
  endRow()
  return rows
}

function separatorOf(line: string): string {
  const counts = [',', ';', '\t'].map((mark) => [line.split(mark).length, mark] as const)
  return counts.sort(([a], [b]) => b - a)[0]?.[1] ?? ','
}

/**
 * The addresses of a table by the other values of their rows, such as IDs or names, lower-cased.
 */
export function addressesIn(text: string): Map<string, string> {
  const addresses = new Map<string, string>()
  for (const row of parseCsv(text)) {
    const address = row.find((value) => value.includes('@'))
    if (address === undefined) continue
    for (const value of row)
      if (value !== address && value !== '') addresses.set(value.toLowerCase(), address)
  }
  return addresses
}
