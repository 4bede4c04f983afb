import type { Context as HonoContext } from 'hono'
import { findRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { openBill } from '#platform/http/rate-limit.ts'
import { receiveBody } from '#platform/http/request.ts'
import type { Tx } from '#platform/store/store.ts'
import { accessPerson, addPerson, changePerson, findPerson, listPeople } from './actions.ts'
import {
  configJson,
  errorJson,
  listJson,
  longestPage,
  resourceTypesJson,
  schemasJson,
  userJson,
} from './json.ts'
import { isScimToken } from './queries.ts'
import { readFilter, readPatch, readUser, ScimError } from './values.ts'

const root = '/scim/v2'

/** In bytes; ample for a user. */
const bodyLimit = 64 * 1024

/** A request with the right token. */
interface Scim {
  readonly c: HonoContext
  /** The URL of the endpoints. */
  readonly base: string
  /** The parsed body. @throws ScimError not JSON */
  body(): Promise<unknown>
  /** Changes something, if the token is still valid. */
  write<T>(change: (tx: Tx) => T): Promise<T>
}

type Handler = (scim: Scim) => object | Promise<object>

/**
 * SCIM, with which an identity provider manages accounts: only users, and only the parts that Okta
 * and Entra ID use.
 *
 * @source RFC 7644
 */
export function mountScim(app: App, server: SystemContext): void {
  const on = (method: string, path: string, handler: Handler, status = 200) =>
    app.on(method, root + path, async (c) => await respond(c, server, handler, status))

  on('GET', '/Users', (scim) => list(scim, server))
  on(
    'POST',
    '/Users',
    async ({ body, write, base }) => {
      const wanted = readUser(await body())
      return userJson(await write((tx) => addPerson(tx, server, wanted)), base)
    },
    201,
  )
  on('GET', '/Users/:id', ({ c, base }) => userJson(accessPerson(server.store, idOf(c)), base))
  on('PUT', '/Users/:id', async ({ c, body, write, base }) => {
    const wanted = readUser(await body())
    return userJson(await write((tx) => changePerson(tx, server, idOf(c), wanted)), base)
  })
  on('PATCH', '/Users/:id', async ({ c, body, write, base }) => {
    const given = await body()
    const changed = await write((tx) => {
      const { fullName } = accessPerson(tx, idOf(c))
      return changePerson(tx, server, idOf(c), readPatch(given, fullName))
    })
    return userJson(changed, base)
  })
  on('DELETE', '/Users/:id', () => {
    throw new ScimError(400, 'Accounts are deactivated, not deleted: set active to false.')
  })
  on('GET', '/ServiceProviderConfig', ({ base }) => configJson(base))
  on('GET', '/ResourceTypes', ({ base }) => all(resourceTypesJson(base)))
  on('GET', '/Schemas', ({ base }) => all(schemasJson(base)))
  app.all(`${root}/*`, async (c) => await respond(c, server, unknown, 200))
}

const idOf = (c: HonoContext) => c.req.param('id') ?? ''
const all = (resources: readonly object[]) => listJson(resources, resources.length, 1)

function unknown({ c }: Scim): never {
  const known = /^\/scim\/v2\/(Groups|Bulk|Me)\b/.test(c.req.path)
  if (known) throw new ScimError(501, 'This server does not implement that part of SCIM.')
  throw new ScimError(404, 'There is no such endpoint.')
}

function list({ c, base }: Scim, { store }: SystemContext): object {
  const userName = readFilter(c.req.query('filter'))
  const start = Math.max(whole(c.req.query('startIndex')) ?? 1, 1)
  const count = Math.min(whole(c.req.query('count')) ?? longestPage, longestPage)
  const found =
    userName === undefined ? listPeople(store) : [findPerson(store, userName) ?? []].flat()
  const page = found.slice(start - 1, start - 1 + Math.max(count, 0))
  return listJson(
    page.map((user) => userJson(user, base)),
    found.length,
    start,
  )
}

/** @throws ScimError not a whole number */
function whole(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^-?\d{1,9}$/.test(given)) return Number(given)
  throw new ScimError(400, 'startIndex and count must be whole numbers.', 'invalidValue')
}

async function respond(
  c: HonoContext,
  server: SystemContext,
  handler: Handler,
  status: number,
): Promise<Response> {
  try {
    openBill(c, server.rateLimits.bill('anonymous', clientAddress(server, c)))
    const token = requireToken(c, server)
    const scim: Scim = {
      c,
      base: server.realmUrl + root,
      body: async () => parsed(await receiveBody(c, bodyLimit)),
      write: (change) =>
        server.store.write((tx) => {
          if (!isScimToken(tx, token)) throw wrongToken()
          return change(tx)
        }),
    }
    return reply(await handler(scim), status)
  } catch (error) {
    return failed(error)
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ScimError(400, 'The body is not valid JSON.', 'invalidSyntax')
  }
}

const wrongToken = () => new ScimError(401, 'The bearer token is missing or wrong.')

/** @throws ScimError 401; RATE_LIMIT_HIT too many wrong tokens */
function requireToken(c: HonoContext, server: SystemContext): string {
  const [, token] = /^Bearer ([\w.~+/=-]{1,500})$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (token === undefined || !findRealm(server.store)) throw wrongToken()
  if (isScimToken(server.store, token)) return token
  server.rateLimits.guesses.wrongKey(token, clientAddress(server, c))
  throw wrongToken()
}

/** @throws errors that are not the client's */
function failed(error: unknown): Response {
  if (error instanceof ScimError) return reply(errorJson(error), error.status)
  if (!(error instanceof ApiError)) throw error
  const wait = error.extra['retry-after']
  const scimType = error.code === 'BAD_REQUEST' ? 'invalidValue' : undefined
  const response = reply(
    errorJson(new ScimError(error.status, error.message, scimType)),
    error.status,
  )
  if (wait !== undefined) response.headers.set('Retry-After', String(Math.ceil(Number(wait))))
  return response
}

function reply(body: object, status: number): Response {
  return new LightReply(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/scim+json',
      'Cache-Control': 'no-store',
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
  })
}
