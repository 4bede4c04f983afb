import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { OutsideError } from '#platform/outgoing/fetch.ts'
import { sentSentence } from '#translations/translate.ts'
import { CallFailure } from './provider.ts'

/**
 * The operator's configuration of a provider.
 *
 * @throws BAD_REQUEST nothing; the organization has chosen another provider
 */
export function requireProvider<T>(
  { store }: Pick<Caller, 'store'>,
  configured: T | null,
  { id, name }: { readonly id: number; readonly name: string },
): T {
  if (configured === null) throw badRequest(sentSentence('{name} is not configured.', { name }))
  if (realmSetting(store, 'video_chat_provider') !== id) {
    throw badRequest(sentSentence('The organization does not use {name} for calls.', { name }))
  }
  return configured
}

/**
 * The answer of a provider. The reasons for failures are in the log, for the operator.
 *
 * @throws BAD_REQUEST it fails
 */
export async function callProvider<T>(
  { server }: Pick<Caller, 'server'>,
  provider: string,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof CallFailure || error instanceof OutsideError)) throw error
    server.log.warn({ provider, reason: error.message }, 'call not made')
    throw badRequest(
      sentSentence('The call could not be created: {name} failed.', { name: provider }),
    )
  }
}
