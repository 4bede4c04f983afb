import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { safeName } from './client-names.ts'
import { OAuthError } from './oauth-error.ts'
import { type Client, insertClient } from './queries.ts'
import { registrationRate } from './quotas.ts'
import { isAllowedRedirect } from './redirects.ts'

const mostRedirects = 10

const metadata = v.object({
  client_name: v.optional(v.string()),
  redirect_uris: v.array(v.string()),
})

/**
 * Registers a program that connects assistants. It gets no secret, whatever it asks for: programs
 * on people's devices keep none. PKCE protects its codes.
 *
 * @param given the parsed body of the request
 * @param network that of the client
 * @throws OAuthError; RATE_LIMIT_HIT
 * @source RFC 7591, sections 2 and 3.2
 */
export function registerClient(tx: Tx, given: unknown, network: string): Client {
  const { success, output } = v.safeParse(metadata, given)
  if (!success) {
    throw new OAuthError('invalid_client_metadata', 'client_name or redirect_uris is malformed.')
  }
  const { client_name, redirect_uris: redirectUris } = output
  const isFine =
    redirectUris.length >= 1 &&
    redirectUris.length <= mostRedirects &&
    redirectUris.every(isAllowedRedirect)
  if (!isFine) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `redirect_uris must be 1 to ${mostRedirects} addresses of at most 500 characters: with https, of this computer with http, or with a scheme of the program's own.`,
    )
  }
  spend(tx, registrationRate, network)
  const id = randomBytes(16).toString('hex')
  return insertClient(tx, { id, name: safeName(client_name), redirectUris })
}
