import * as v from 'valibot'
import type { Registration } from './actions.ts'

/** What the push service said to a registration. */
export type ServiceAnswer =
  | { readonly deviceId: number }
  /** It will never take this one. */
  | { readonly refusedBecause: string }

/** Codes of answers after which trying again is no use. */
const finalCodes: readonly string[] = [
  'BAD_REQUEST',
  'INVALID_BOUNCER_PUBLIC_KEY',
  'REQUEST_EXPIRED',
]

const answerShape = v.union([
  v.object({ result: v.literal('success'), device_id: v.pipe(v.number(), v.integer()) }),
  v.object({ result: v.literal('error'), code: v.picklist(finalCodes) }),
])

/** Milliseconds in which the push service has to answer. */
const patience = 20_000

/**
 * Offers a registration to the push service.
 *
 * @param service its address, with the organization's id and key for it before the host
 * @throws when it does not answer, or not to the question: then later perhaps it will
 * @source https://zulip.com/api/register-remote-push-device (feature levels 406 to 467)
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
    signal: AbortSignal.timeout(patience),
  })
  const answer = v.safeParse(answerShape, await response.json())
  if (!answer.success) throw new Error(`The push service answered with status ${response.status}.`)
  return answer.output.result === 'success'
    ? { deviceId: answer.output.device_id }
    : { refusedBecause: answer.output.code }
}

const endpointPath = '/api/v1/remotes/push/e2ee/register'
