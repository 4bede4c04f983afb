import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/** Whether a text is a host name, an IPv4 address, or an IPv6 address without brackets. */
export function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true
  if (text.length > 253) return false
  const labels = text.replace(/\.$/, '').split('.')
  // A last label of digits makes it an IPv4 address, which is malformed here.
  return labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** Whether a text is a host name with a dot, as certificates have it. */
export const isDomain = (text: string): boolean =>
  text.includes('.') && !/_|\.$/.test(text) && isHost(text) && isIP(text) === 0

const local = /^[a-z0-9.!#$%&'*+/=?^_`{|}~\u00a1-\u1fff\u2c00-\uffff-]{1,64}$/i

/** Whether a text is an email address: `ann@example.com`. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const host = text.slice(at + 1)
  return (
    text.length <= 254 &&
    local.test(text.slice(0, Math.max(at, 0))) &&
    /^[\p{L}\p{M}\p{N}._-]+$/u.test(host) &&
    isHost(/[^ -~]/.test(host) ? domainToASCII(host) : host)
  )
}

/** The parts of a URL that is one as it stands; undefined: it is not, or its host is none. */
export function parseUrl(text: string): URL | undefined {
  // The parser would drop line breaks, and add or turn slashes.
  if (!/^[a-z0-9]+:\/\/[^/\\\s]+(\/[^\\\s]*)?$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return isHost(url.hostname.replace(/^\[(.*)\]$/, '$1')) && url.port !== '0' ? url : undefined
}
