import type { Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { resourceMetadataPath } from '#features/integrations/assistants/assistant.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { LightReply, lightJson } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { networkOf } from '#platform/http/networks.ts'
import { originOf } from '#platform/http/origin.ts'
import { protectionOf } from '#platform/http/protection.ts'
import { openBill } from '#platform/http/rate-limit.ts'
import { readInput, receiveBody } from '#platform/http/request.ts'
import { mountConsent } from './consent.pages.ts'
import {
  paths,
  registrationJson,
  resourceMetadata,
  serverMetadata,
  tokensJson,
} from './metadata.json.ts'
import { OAuthError } from './oauth-error.ts'
import { registerClient } from './registration.actions.ts'
import { type Asked, exchangeCode, refreshTokens, revokeToken } from './tokens.actions.ts'

/** In bytes; ample for what clients send. */
const bodyLimit = 32 * 1024

/** The paths where clients look for what the server says about itself. */
const metadataPaths = {
  resource: [resourceMetadataPath, '/.well-known/oauth-protected-resource'],
  server: [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
  ],
} as const

/** Web apps may use these, which take no cookies. */
const openToPages = cors({
  origin: (_origin, c) => protectionOf(c).api['Access-Control-Allow-Origin'],
  allowHeaders: ['Authorization', 'Content-Type', 'MCP-Protocol-Version'],
  allowMethods: ['GET', 'POST'],
  maxAge: 86_400,
})

/**
 * The authorization server, with which people let assistants act for them.
 *
 * @source OAuth 2.1; Model Context Protocol, "Authorization"
 */
export function mountAuthorization(app: App, server: SystemContext): void {
  const { authorize: _, ...forPrograms } = paths
  for (const path of [...Object.values(forPrograms), ...Object.values(metadataPaths).flat()]) {
    app.use(path, openToPages)
  }
  for (const path of metadataPaths.resource) {
    app.get(path, (c) => {
      const realm = findRealm(server.store)
      return realm ? lightJson(resourceMetadata(originOf(server, c), realm.name)) : c.notFound()
    })
  }
  for (const path of metadataPaths.server) {
    app.get(path, (c) =>
      findRealm(server.store) ? lightJson(serverMetadata(originOf(server, c))) : c.notFound(),
    )
  }
  app.post(paths.register, (c) =>
    reply(c, server, async () => {
      const given = parsed(await receiveBody(c, bodyLimit))
      const network = networkOf(clientAddress(server, c))
      const client = await server.store.write((tx) => registerClient(tx, given, network))
      return lightJson(registrationJson(client), 201)
    }),
  )
  app.post(paths.token, (c) =>
    reply(c, server, async () => {
      const asked = await parameters(c)
      const grant = grants.get(asked('grant_type') ?? '')
      if (!grant) {
        const known = [...grants.keys()].join(' and ')
        throw new OAuthError('unsupported_grant_type', `The grant types are ${known}.`)
      }
      const granted = await server.store.write((tx) => grant(tx, asked))
      if (granted instanceof OAuthError) throw granted
      return lightJson(tokensJson(granted))
    }),
  )
  app.post(paths.revoke, (c) =>
    reply(c, server, async () => {
      const asked = await parameters(c)
      await server.store.write((tx) => revokeToken(tx, asked))
      return new LightReply(null)
    }),
  )
  mountConsent(app, server)
}

const grants = new Map([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshTokens],
])

/** @throws OAuthError secrets in the address, which logs and histories keep; as `readInput` */
async function parameters(c: HonoContext): Promise<Asked> {
  if (c.req.url.includes('?')) {
    throw new OAuthError('invalid_request', 'Parameters go into the body, as a form.')
  }
  const { params } = await readInput(c, {}, bodyLimit)
  return (name) => params.get(name) || undefined
}

/** @throws OAuthError */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body is not valid JSON.')
  }
}

/** Counts a request of a program, and answers it, also with an error in the words of OAuth. */
async function reply(
  c: HonoContext,
  server: SystemContext,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    openBill(c, server.rateLimits.bill('anonymous', clientAddress(server, c)))
    if (!findRealm(server.store)) return c.notFound()
    return await run()
  } catch (error) {
    const { code, message, status, wait } = described(error)
    const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': wait }
    return lightJson({ error: code, error_description: message }, status, headers)
  }
}

/** @throws errors that are not the client's */
function described(error: unknown) {
  if (error instanceof OAuthError) return { ...plain(error), wait: undefined }
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const code = error.code === 'RATE_LIMIT_HIT' ? 'slow_down' : 'invalid_request'
  const seconds = error.extra['retry-after']
  const wait = seconds === undefined ? undefined : String(Math.ceil(Number(seconds)))
  return { code, message: error.message, status: error.status, wait } as const
}

const plain = ({ code, message, status }: OAuthError) => ({ code, message, status })
