import * as v from 'valibot'
import type { Registration } from './actions.ts'

/** The push service's reply to a registration. */
export type ServiceAnswer =
  | { readonly deviceId: number }
  /** The service will never accept this registration. */
  | { readonly refusedBecause: string }

/** The error codes that make a retry pointless. */
const finalCodes: readonly string[] = [
  'BAD_REQUEST',
  'INVALID_BOUNCER_PUBLIC_KEY',
  'REQUEST_EXPIRED',
]

const answerShape = v.union([
  v.object({ result: v.literal('success'), device_id: v.pipe(v.number(), v.integer()) }),
  v.object({ result: v.literal('error'), code: v.picklist(finalCodes) }),
])

/** How long to wait for the push service, in milliseconds. */
const timeoutMilliseconds = 20_000

/**
 * Sends a registration to the push service.
 *
 * @param service its URL, with the organization's ID and key as the credentials
 * @throws if the service does not answer, or answers with another error; worth a retry
 * @source Zulip API, "Register E2EE push device to bouncer" (feature level 406; changed in 468)
 */
export async function offerRegistration(
  service: string,
  realmUuid: string,
  registration: Registration,
): Promise<ServiceAnswer> {
  const url = new URL(service)
  const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
  const response = await fetch(`${url.origin}${url.pathname}`.replace(/\/*$/, endpointPath), {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({
      realm_uuid: realmUuid,
      push_account_id: String(registration.pushAccountId),
      encrypted_push_registration: registration.encryptedRegistration,
      bouncer_public_key: registration.servicePublicKey,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  })
  const answer = v.safeParse(answerShape, await response.json())
  if (!answer.success) throw new Error(`The push service answered with status ${response.status}.`)
  return answer.output.result === 'success'
    ? { deviceId: answer.output.device_id }
    : { refusedBecause: answer.output.code }
}

const endpointPath = '/api/v1/remotes/push/e2ee/register'
