import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { isRecent, type SignedRequest } from '#features/integrations/webhook-services/signatures.ts'
import { splitAddress } from '#platform/config/split-address.ts'
import type { Config } from '#platform/config.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { fetchOutside, type Outgoing } from '#platform/outgoing/fetch.ts'
import { parsed, webLink } from '#platform/outgoing/replies.ts'
import { basicAuth, CallFailure, replyLimit } from './provider.ts'

/** The path where a browser begins to connect an account with Zoom. */
export const registerPath = '/calls/zoom/register'
/** The path to which Zoom sends it back: the redirect URL of the app. */
export const completePath = '/calls/zoom/complete'
/** The path for notices that someone has removed the app: its deauthorization endpoint. */
export const deauthorizePath = '/calls/zoom/deauthorize'

/** The app that the operator has registered at Zoom. */
export interface ZoomApp {
  readonly address: string
  readonly api: string
  /** The account of a server-to-server app; null for an app that users connect with. */
  readonly account: string | null
}

/** The tokens with which an app acts for someone. */
export interface ZoomTokens {
  readonly access: string
  /** The refresh token, which works once; each renewal returns a new one. */
  readonly refresh: string
  /** How long the access token works, in seconds. */
  readonly lifetime: number
}

/** Zoom no longer accepts a token, or refuses to renew it. */
export class ZoomRefusal extends CallFailure {}

/** No user of the Zoom account has the address. */
export class UnknownZoomUser extends CallFailure {}

export function zoomApp(
  config: Pick<Config, 'zoomUrl' | 'zoomApiUrl' | 'zoomAccount'>,
): ZoomApp | null {
  const { zoomUrl, zoomApiUrl, zoomAccount } = config
  return zoomUrl === null ? null : { address: zoomUrl, api: zoomApiUrl, account: zoomAccount }
}

/**
 * The address where Zoom asks someone whether the app may act for them.
 *
 * @param state comes back with the answer
 * @source Zoom, "Using OAuth 2.0"
 */
export function authorizeUrl(app: ZoomApp, redirectUri: string, state: string): string {
  const { base, user } = splitAddress(app.address)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: user,
    redirect_uri: redirectUri,
    state,
  })
  return `${base}/oauth/authorize?${query}`
}

const token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,8000}$/))
const lifetime = v.pipe(v.number(), v.minValue(0), v.maxValue(1e9))
const userReply = v.object({ access_token: token, refresh_token: token, expires_in: lifetime })
const accountReply = v.object({ access_token: token, expires_in: lifetime })

/** Exchanges the code from Zoom's redirect for tokens. @throws CallFailure; OutsideError */
export async function tokensForCode(
  server: Outgoing,
  app: ZoomApp,
  code: string,
  redirectUri: string,
): Promise<ZoomTokens> {
  const asked = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  return userTokens(await askForTokens(server, app, asked))
}

/** Renews tokens. @throws ZoomRefusal the connection has ended; CallFailure; OutsideError */
export async function nextTokens(
  server: Outgoing,
  app: ZoomApp,
  refresh: string,
): Promise<ZoomTokens> {
  return userTokens(
    await askForTokens(server, app, { grant_type: 'refresh_token', refresh_token: refresh }),
  )
}

function userTokens(reply: unknown): ZoomTokens {
  const { output, success } = v.safeParse(userReply, reply)
  if (!success) throw new CallFailure('Zoom gave no tokens.')
  return { access: output.access_token, refresh: output.refresh_token, lifetime: output.expires_in }
}

/**
 * A token of a server-to-server app, which acts for everyone in the operator's Zoom account.
 *
 * @throws CallFailure; OutsideError
 * @source Zoom, "Server-to-Server OAuth"
 */
export async function accountToken(
  server: Outgoing,
  app: ZoomApp,
): Promise<Omit<ZoomTokens, 'refresh'>> {
  const asked = { grant_type: 'account_credentials', account_id: app.account ?? '' }
  const { output, success } = v.safeParse(accountReply, await askForTokens(server, app, asked))
  if (!success) throw new CallFailure('Zoom gave no token.')
  return { access: output.access_token, lifetime: output.expires_in }
}

async function askForTokens(
  server: Outgoing,
  app: ZoomApp,
  asked: Readonly<Record<string, string>>,
): Promise<unknown> {
  const account = splitAddress(app.address)
  const { status, body } = await fetchOutside(server, `${account.base}/oauth/token`, {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      Authorization: basicAuth(account),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(asked).toString(),
    limit: replyLimit,
  })
  const reply = parsed(body)
  if (status === 200) return reply
  // Only this error means that the user has ended the connection; others may be errors of the app.
  if (v.is(v.object({ error: v.literal('invalid_grant') }), reply)) {
    throw new ZoomRefusal('Zoom refused the grant.')
  }
  throw new CallFailure(`Zoom gave no token: status ${status}.`)
}

/** Zoom's ID of one of its users. */
const zoomUserId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
const meetingReply = v.object({ join_url: v.string(), host_id: v.optional(v.unknown()) })
/** @source Zoom API, "Error definitions" */
const unknownUser = v.object({ code: v.picklist([1001, 1120]) })

export interface ZoomMeeting {
  /** The link for the other participants. */
  readonly link: string
  /** Zoom's ID of the host; undefined if Zoom does not say. */
  readonly hostId: string | undefined
}

/**
 * Makes an instant meeting.
 *
 * @param host an address in the Zoom account of the operator; `me`: whose token it is
 * @throws ZoomRefusal the token does not work; UnknownZoomUser; CallFailure; OutsideError
 * @source Zoom API, "Create a meeting"
 */
export async function openZoomMeeting(
  server: Outgoing,
  app: ZoomApp,
  accessToken: string,
  { host, isVideo }: { readonly host: string; readonly isVideo: boolean },
): Promise<ZoomMeeting> {
  const { status, body } = await fetchOutside(
    server,
    `${app.api}/users/${encodeURIComponent(host)}/meetings`,
    {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${accessToken}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        type: 1,
        settings: { host_video: isVideo, participant_video: isVideo },
      }),
      limit: replyLimit,
    },
  )
  const reply = parsed(body)
  if (status === 401) throw new ZoomRefusal('Zoom refused the token.')
  if (status === 404 && v.is(unknownUser, reply))
    throw new UnknownZoomUser('Zoom knows no such user.')
  const made = status === 201 && v.is(meetingReply, reply) ? reply : undefined
  const link = made && webLink(made.join_url)
  if (link === undefined) throw new CallFailure(`Zoom made no meeting: status ${status}.`)
  return { link, hostId: v.is(zoomUserId, made?.host_id) ? made.host_id : undefined }
}

const notice = v.object({
  event: v.string(),
  payload: v.object({
    client_id: v.optional(v.string()),
    user_id: v.optional(zoomUserId),
    plainToken: v.optional(v.pipe(v.string(), v.maxLength(1000))),
  }),
})

/** A notice from Zoom to the app. */
export type ZoomNotice = v.InferOutput<typeof notice>

/** Reads a notice from Zoom; undefined for any other body. */
export function readNotice(body: Uint8Array): ZoomNotice | undefined {
  const { success, output } = v.safeParse(notice, parsed(Buffer.from(body)))
  return success ? output : undefined
}

/**
 * Whether a notice comes from Zoom: it is signed with the secret token of the app, or, as Zoom still does
 * for older apps, shows their verification token.
 *
 * @param secret either of these tokens
 * @source Zoom, "Using webhooks: Verify webhook events" and "App deauthorized" (read 24 November 2026)
 */
export function isFromZoom(
  secret: string,
  { body, header }: SignedRequest,
  nowSeconds: number,
): boolean {
  if (constantTimeEqual(header('authorization') ?? '', secret)) return true
  const time = header('x-zm-request-timestamp') ?? ''
  if (!isRecent(time, nowSeconds)) return false
  const signed = createHmac('sha256', secret).update(`v0:${time}:`).update(body).digest('hex')
  return constantTimeEqual(header('x-zm-signature') ?? '', `v0=${signed}`)
}

/**
 * The answer that proves to Zoom that an endpoint belongs to the app.
 *
 * @source Zoom, "Using webhooks: Validate your webhook endpoint" (read 24 November 2026)
 */
export function provenToken(secret: string, plainToken: string) {
  const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex')
  return { plainToken, encryptedToken }
}
