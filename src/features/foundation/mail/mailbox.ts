/** Providers that ignore dots before the `@`, by the domain that they deliver to. */
const dotless: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
}

/**
 * One name for all spellings of an address that usually reach the same mailbox: without case,
 * without the part after a `+`, and without dots where the provider ignores them. For counting
 * only.
 *
 * @source RFC 5233, "Subaddress Extension"
 */
export function mailbox(address: string): string {
  const plain = address.trim().normalize('NFKC').toLowerCase()
  const at = plain.lastIndexOf('@')
  const domain = plain.slice(at + 1)
  const [local = ''] = plain.slice(0, Math.max(at, 0)).split('+')
  const known = dotless[domain]
  return known ? `${local.replaceAll('.', '')}@${known}` : `${local}@${domain}`
}
