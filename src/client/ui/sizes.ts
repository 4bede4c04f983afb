import { tn } from './t.ts'

const units = ['KiB', 'MiB', 'GiB', 'TiB']

/** A number of bytes for people: "300 bytes", "1.2 MiB". */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return tn(bytes, 'one byte', '{count} bytes')
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  const rounded = amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)
  return `${rounded} ${units[power - 1]}`
}
