/** The options that the address of a channel can contain. */
export interface MailOptions {
  /** Whether the message begins with the sender's address. */
  readonly showSender: boolean
  /** Whether it keeps what follows `--`. */
  readonly includeFooter: boolean
  /** Whether it keeps quotes. */
  readonly includeQuotes: boolean
  /** Whether the HTML of the mail comes before its plain text. */
  readonly preferHtml: boolean
}

/** An address for which this server receives mail. */
export type MailAddress =
  | { readonly kind: 'channel'; readonly token: string; readonly options: MailOptions }
  | { readonly kind: 'reply'; readonly token: string }

const optionNames = new Set([
  'show-sender',
  'include-footer',
  'include-quotes',
  'prefer-text',
  'prefer-html',
])

/** An address by the gateway's pattern. @param pattern such as `%s@mail.example.com` */
export function mailAddress(pattern: string, local: string): string {
  return pattern.replace('%s', () => local)
}

/** The part of a channel's address before the `@`. It begins with the name, if that is in ASCII. */
export function channelLocalPart(channelName: string, token: string): string {
  const slug = channelName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  const isReadable = slug !== '' && !optionNames.has(slug)
  return isReadable ? `${slug}.${token}` : token
}

/** The part of an address to answer a mail before the `@`. */
export const replyLocalPart = (token: string) => `mm${token}`

/**
 * Reads the recipient of a mail.
 *
 * @returns undefined: the address does not follow the pattern, so it is not this server's; null: it
 *   does, but is not a valid address
 */
export function parseMailAddress(pattern: string, address: string): MailAddress | null | undefined {
  const [before = '', after = ''] = pattern.toLowerCase().split('%s')
  const given = address.toLowerCase()
  if (!given.startsWith(before) || !given.endsWith(after)) return undefined
  if (given.length <= before.length + after.length) return undefined
  const local = given.slice(before.length, given.length - after.length)
  if (local.includes('@')) return undefined
  const reply = /^mm([0-9a-f]{32})$/.exec(local)?.[1]
  if (reply) return { kind: 'reply', token: reply }
  const parts = local.split(/[.+]/)
  const options = new Set(parts.filter((part) => optionNames.has(part)))
  const rest = parts.filter((part) => !optionNames.has(part))
  const token = rest.at(-1) ?? ''
  if (rest.length > 2 || !/^[0-9a-f]{32}$/.test(token)) return null
  return {
    kind: 'channel',
    token,
    options: {
      showSender: options.has('show-sender'),
      includeFooter: options.has('include-footer'),
      includeQuotes: options.has('include-quotes'),
      preferHtml: options.has('prefer-html'),
    },
  }
}

/** An address without its secret, for the log. */
export function redactAddress(address: string): string {
  return address.replace(/[0-9a-f]{32}/gi, '…')
}

/** The list of the mails about missed messages. */
export function ownListId(realmUrl: string): string {
  return `messages.${new URL(realmUrl).hostname}`
}
