import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { IdentityProvider } from '#platform/config.ts'
import type { SystemContext } from '#platform/context.ts'
import { once } from '#platform/memo.ts'
import { fetchOutside } from '#platform/outgoing/fetch.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { redirectUri } from './json.ts'
import { joinClaims, type Person, readClaims } from './person.ts'

type Server = Pick<SystemContext, 'store' | 'config' | 'clock' | 'realmUrl'>

/** Why a provider could not identify someone. The message has no secrets. */
export class ProviderFailure extends Error {
  /** Whether the person declined, rather than the provider failing. */
  readonly isRefusal: boolean

  constructor(message: string, isRefusal = false) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** Loading takes time and memory that servers without providers do not need to spend. */
const load = once(() => import('openid-client'))

/** How long to use the discovered metadata of a provider, in milliseconds. */
const freshMilliseconds = 3600 * 1000

interface Known {
  /** The provider's settings: changed ones need another discovery. */
  readonly of: string
  readonly madeAt: number
  readonly configuration: Promise<Configuration>
}

const known = perDatabase(() => new Map<string, Known>())

/**
 * The metadata of a provider, fetched on first use. Concurrent callers share one request; a failure
 * is not kept.
 */
async function discover(server: Server, provider: IdentityProvider): Promise<Configuration> {
  const all = known(server.store)
  const of = JSON.stringify(provider)
  const found = all.get(provider.id)
  const now = server.clock.elapsed()
  if (found?.of === of && now - found.madeAt < freshMilliseconds) return await found.configuration
  const entry: Known = { of, madeAt: now, configuration: fetchConfiguration(server, provider) }
  all.set(provider.id, entry)
  try {
    return await entry.configuration
  } catch (error) {
    if (all.get(provider.id) === entry) all.delete(provider.id)
    throw error
  }
}

async function fetchConfiguration(
  server: Server,
  { issuer, clientId, clientSecret }: IdentityProvider,
): Promise<Configuration> {
  const oidc = await load()
  const url = new URL(issuer)
  return await oidc.discovery(
    url,
    clientId,
    undefined,
    clientSecret === null ? oidc.None() : secretAuth(oidc, clientSecret),
    {
      [oidc.customFetch]: checkedFetch(server),
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
      ],
    },
  )
}

/**
 * Sends the secret in the way that the provider supports. @source OpenID Connect Discovery 1.0,
 * section 3
 */
function secretAuth(oidc: typeof import('openid-client'), secret: string): ClientAuth {
  const basic = oidc.ClientSecretBasic(secret)
  const post = oidc.ClientSecretPost(secret)
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** The library's requests, which reach the public internet and `Config.allowedNetworks` only. */
function checkedFetch(server: Server): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const reply = await fetchOutside(server, url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body != null && { body: String(body) }),
      ...(signal && { signal }),
    })
    const isEmpty = reply.status === 204 || reply.status === 304
    return new Response(isEmpty ? null : new Uint8Array(reply.body), {
      status: reply.status,
      headers: { 'content-type': reply.headers['content-type'] ?? '' },
    })
  }
}

/** The secrets of one log-in, for its address, its tokens and its code. */
export interface Handshake {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/**
 * The address to which to send a browser, where a provider asks its user to log in.
 *
 * @param seal makes the state, from which `finishHandshake` gets the other secrets back
 * @throws ProviderFailure
 * @source OpenID Connect Core 1.0, section 3.1.2.1; RFC 7636
 */
export async function startHandshake(
  server: Server,
  provider: IdentityProvider,
  seal: (secrets: Omit<Handshake, 'state'>) => string,
): Promise<string> {
  return await explained(async () => {
    const configuration = await discover(server, provider)
    const oidc = await load()
    const secrets = { nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier() }
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(server, provider.id),
      scope: provider.scope,
      state: seal(secrets),
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: 'S256',
    })
    return url.href
  })
}

/**
 * The person who has logged in at a provider. Checks state, issuer, nonce, the token's signature,
 * audience and times, and that the code was made for this log-in.
 *
 * @param query what the provider appended to the redirect URI
 * @throws ProviderFailure
 */
export async function finishHandshake(
  server: Server,
  provider: IdentityProvider,
  handshake: Handshake,
  query: string,
): Promise<Person> {
  return await explained(async () => {
    const configuration = await discover(server, provider)
    const oidc = await load()
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      new URL(redirectUri(server, provider.id) + query),
      {
        expectedState: handshake.state,
        expectedNonce: handshake.nonce,
        pkceCodeVerifier: handshake.codeVerifier,
        idTokenExpected: true,
      },
    )
    const claims = tokens.claims()
    if (!claims) throw new ProviderFailure('The provider sent no ID token.')
    // Some providers put only the subject into the token, and the rest into UserInfo.
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const wanted = ['email', 'email_verified', provider.groupsClaim]
    const more =
      hasMore && wanted.some((name) => claims[name] === undefined)
        ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
    return readClaims(provider, joinClaims(claims, more))
  })
}

/** The address where a provider logs people out, if it has one. */
export async function endSessionUrl(
  server: Server,
  provider: IdentityProvider,
  returnPath: string,
): Promise<string | undefined> {
  return await explained(async () => {
    const configuration = await discover(server, provider)
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    const { buildEndSessionUrl } = await load()
    const parameters = { post_logout_redirect_uri: server.realmUrl + returnPath }
    return buildEndSessionUrl(configuration, parameters).href
  })
}

/** Errors of the library contain tokens and replies, so only their code is passed on. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    const {
      code,
      error: reason,
      message,
      cause,
    } = error as Error & { code?: string; error?: string }
    const inner = cause instanceof Error ? ` ${cause.message}` : ''
    throw new ProviderFailure(
      [code, reason, `${message}${inner}`].filter(Boolean).join(': '),
      reason === 'access_denied',
    )
  }
}
