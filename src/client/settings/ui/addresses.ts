import type { User } from '#client/state/model.ts'

/** How many parts of a paste are looked up. */
const mostAddresses = 5000

/** Whether a text is a list of mail addresses rather than a name: at least one, and nothing else. */
export function looksLikeAddresses(text: string): boolean {
  const parts = partsOf(text)
  return parts.length > 0 && parts.every((part) => /^[^@]+@[^@]+$/.test(part))
}

/** The addresses in a text, as lists of them are copied: "Ada <ada@example.com>, bob@example.com". */
function partsOf(text: string): string[] {
  return text
    .split(/[,;\n\r\t]+/)
    .flatMap((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part.trim().split(/\s+/))
    .filter((part) => part !== '')
    .slice(0, mostAddresses)
}

/** The active people with these addresses, and the addresses that nobody known has. */
export function findByAddresses(
  text: string,
  users: Iterable<User>,
): { readonly ids: readonly number[]; readonly unknown: readonly string[] } {
  const known = new Map<string, number>()
  for (const { id, email, deliveryEmail, isActive } of users) {
    if (!isActive) continue
    known.set(email.toLowerCase(), id)
    if (deliveryEmail !== null) known.set(deliveryEmail.toLowerCase(), id)
  }
  const ids = new Set<number>()
  const unknown: string[] = []
  for (const part of partsOf(text)) {
    const id = known.get(part.toLowerCase())
    if (id === undefined) unknown.push(part)
    else ids.add(id)
  }
  return { ids: [...ids], unknown }
}
