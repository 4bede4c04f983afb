import { randomBytes, randomUUID } from 'node:crypto'
import { withoutEnd } from '#shared/without-end.ts'
import { callService, type ServiceAccess } from './service.ts'

/** The data with which an operator registers a server. */
export interface Registration {
  /** The address of the push service. */
  readonly service: string
  /** The host at which clients reach the server, with its port if that is not the usual one. */
  readonly hostname: string
  /** An address to which the service may write. */
  readonly contact: string
}

/** A new id and key. The key is a secret shared by the service and the operator's settings. */
export function newAccess(service: string): ServiceAccess {
  // 64 letters and digits.
  const key = randomBytes(32).toString('hex')
  return { url: withoutEnd(service, '/'), id: randomUUID(), key }
}

/**
 * Registers a server with the push service.
 *
 * @returns the service's reason for a refusal; undefined: it succeeded
 * @throws Error the service does not answer
 */
export async function register(
  access: ServiceAccess,
  { hostname, contact }: Registration,
): Promise<string | undefined> {
  const form = {
    zulip_org_id: access.id,
    zulip_org_key: access.key,
    hostname,
    contact_email: contact,
  }
  const reply = await callService({ ...access, id: '' }, '/server/register', { form })
  return 'refusedBecause' in reply ? reply.message : undefined
}

/** The setting that lets the server use its registration. */
export function settingFor({ url, id, key }: ServiceAccess): string {
  const address = new URL(url)
  address.username = id
  address.password = key
  return `PARLEY_PUSH_SERVICE=${address.href.replace(/\/$/, '')}`
}
