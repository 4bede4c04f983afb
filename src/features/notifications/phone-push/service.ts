import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { withoutEnd } from '#shared/without-end.ts'

/** The push service for phones, as operators configure it. */
export interface ServiceAccess {
  /** Without a slash at the end. */
  readonly url: string
  /** The ID and the key of the server's registration. */
  readonly id: string
  readonly key: string
}

/** @param url with the id and key as its user and password */
export function serviceAccess(url: string): ServiceAccess {
  const { origin, pathname, username, password } = new URL(url)
  const [id = '', key = ''] = [username, password].map(decodeURIComponent)
  return { url: withoutEnd(`${origin}${pathname}`, '/'), id, key }
}

/** The answer of the service. Anything else is worth a retry, and thrown. */
export type ServiceReply =
  | { readonly body: Readonly<Record<string, unknown>> }
  /** It will not do this. @property code the API's, such as `INVALID_ZULIP_SERVER` */
  | { readonly refusedBecause: string; readonly message: string }

/** The parameters of a call. */
type Body =
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly json: object }
  | undefined

const replyShape = v.union([
  v.looseObject({ result: v.literal('success') }),
  v.looseObject({ result: v.literal('error'), msg: v.string(), code: v.optional(v.string()) }),
])

/** How long to wait for the service, in milliseconds. */
const timeoutMilliseconds = 15_000
/** The largest answer, in bytes. */
const longestReply = 1024 * 1024

/**
 * Calls the push service.
 *
 * @param path below `/api/v1/remotes`
 * @param body undefined: GET
 * @throws Error it does not answer, or fails
 * @source Zulip, "Mobile push notification service": the API below `/api/v1/remotes`
 */
export async function callService(
  { url, id, key }: ServiceAccess,
  path: string,
  body: Body,
): Promise<ServiceReply> {
  const isJson = body !== undefined && 'json' in body
  const response = await fetch(`${url}/api/v1/remotes${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(id && { authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}` }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isJson ? JSON.stringify(body.json) : new URLSearchParams(body.form) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  })
  const text = await response.text()
  const parsed = v.safeParse(replyShape, parse(text.slice(0, longestReply)))
  if (!parsed.success || response.status >= 500 || response.status === 429) {
    throw new Error(`The push service answered with status ${response.status}.`)
  }
  const reply = parsed.output
  if (reply.result === 'success') return { body: reply }
  const fallback = response.status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST'
  return { refusedBecause: reply.code ?? fallback, message: reply.msg }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An account's name for the service: always the same, and of no use elsewhere. */
export function userUuid(realmSecret: string, userId: number): string {
  const bytes = createHmac('sha256', Buffer.from(realmSecret, 'hex'))
    .update(`push service user ${userId}`)
    .digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex').slice(0, 32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
