import * as v from 'valibot'
import { redirectUri } from '#features/foundation/identity-providers/json.ts'
import {
  deleteIdentitiesOf,
  deleteProvider,
  findProvider,
  listProviders,
  saveProvider,
} from '#features/foundation/identity-providers/queries.ts'
import { providerQuota } from '#features/foundation/identity-providers/quotas.ts'
import { findUserByAddress } from '#features/foundation/users/queries.ts'
import { problemIn, providerSchema } from '#platform/config/identity-provider.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'

/**
 * Stores a provider, in place of one with the same id.
 *
 * @param given as in `PARLEY_OIDC_PROVIDERS`
 */
export async function addProvider(server: SystemContext, given: object): Promise<string> {
  const parsed = v.safeParse(providerSchema, given)
  if (!parsed.success)
    throw badRequest(`This is not a valid provider: ${problemIn(parsed.issues[0])}.`)
  const provider = parsed.output
  requireNotConfigured(server, provider.id)
  await server.store.write((tx) => {
    if (!findProvider(tx, provider.id)) requireRoom(tx, providerQuota, 'all')
    saveProvider(tx, provider)
  })
  return `People can log in with ${provider.name}. Its redirect URI: ${redirectUri(server, provider.id)}\n`
}

function requireNotConfigured({ config }: Context, id: string): void {
  if (!config.identityProviders.some((each) => each.id === id)) return
  throw badRequest(`${id} is configured by PARLEY_OIDC_PROVIDERS.`)
}

/** Lists everything except the secrets. */
export function describeProviders(server: SystemContext): string {
  const blocks = listProviders(server.store).map(
    ({ clientSecret, id, name, issuer, clientId, ...rest }) =>
      `${id}: ${name}
  issuer:       ${issuer}
  client id:    ${clientId}${clientSecret === null ? ' (without a secret)' : ''}
  redirect URI: ${redirectUri(server, id)}
  settings:     ${JSON.stringify(rest)}
`,
  )
  return blocks.join('') || 'There are no identity providers.\n'
}

export async function removeProvider(server: SystemContext, id: string): Promise<string> {
  requireNotConfigured(server, id)
  const isGone = await server.store.write((tx) => deleteProvider(tx, id))
  if (!isGone) throw badRequest(`There is no identity provider ${id}.`)
  return `People can no longer log in with ${id}. Accounts and sessions stay.\n`
}

/** Unlinks an account, so that the next log-in links it again, by its address. */
export async function unlinkAccount({ store }: SystemContext, email: string): Promise<string> {
  const user = findUserByAddress(store, email)
  if (!user) throw badRequest(`No account has the address ${email}.`)
  const count = await store.write((tx) => deleteIdentitiesOf(tx, user.id))
  return `${user.fullName} <${user.email}> was linked to ${count} identities and is now linked to none.\n`
}
