import type { Context as HonoContext } from 'hono'
import type { Identified } from '#features/integrations/assistants/identified.actions.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import { notLoggedIn } from '#platform/errors.ts'
import { authenticateBy } from '#platform/http/authenticate.ts'
import { originOf } from '#platform/http/origin.ts'
import { resourceAt } from './metadata.json.ts'
import { type Connection, updateConnection } from './queries.ts'
import { assistantOfToken } from './rules.ts'
import { isAccessToken } from './tokens.actions.ts'

/** How exact the time of the last use is, in seconds. */
const useSeconds = 300

/**
 * Who sends a request with an access token. A wrong one is no guess: nobody can guess one, and
 * programs show those that have expired.
 *
 * @returns undefined: the request has none
 * @throws UNAUTHORIZED it is not valid, or not for this endpoint; RATE_LIMIT_HIT
 */
export function identifyByToken(
  c: HonoContext,
  server: SystemContext,
): Pick<Identified, 'caller' | 'assistant'> | undefined {
  const token = /^bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (token === undefined || !isAccessToken(token)) return undefined
  const found = assistantOfToken(server.store, token, resourceAt(originOf(server, c)))
  if (!found) throw notLoggedIn()
  const { assistant, credential, connection } = found
  const caller = authenticateBy(c, server, credential)
  noteUse(server, connection)
  return { assistant, caller }
}

/** Nothing waits for it, and nothing fails if it does. */
function noteUse({ store, log }: SystemContext, { id, lastUsedAt }: Connection): void {
  const now = seconds(store.clock)
  if (lastUsedAt !== null && lastUsedAt + useSeconds > now) return
  store
    .write((tx) => updateConnection(tx, id, { lastUsedAt: now }))
    .catch((error) => log.error({ err: error }, 'the use of an assistant could not be noted'))
}
