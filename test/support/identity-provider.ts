import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { IdentityProvider } from '#platform/config.ts'
import type { FormBrowser } from './browser.ts'

/** What a provider says of someone; `sub` is their name there. */
export interface Claims {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly name?: string
  readonly groups?: readonly string[]
}

export interface TestProvider {
  readonly issuer: string
  /** Its settings as Parley has them, without what differs. */
  readonly settings: IdentityProvider
  /** Registers the client. @param redirectUri where it sends browsers back to */
  register(redirectUri: string): void
  /** The person who logs in from now on, without being asked for anything. */
  person: Claims
  close(): Promise<void>
}

const clientSecret = 'the secret of the client, which nobody may see'

/** The settings of a provider that lets everyone log in, and makes no accounts. */
export const providerSettings = (issuer: string): IdentityProvider => ({
  id: 'ours',
  name: 'Our Accounts',
  issuer,
  clientId: 'parley',
  clientSecret,
  scope: 'openid profile email',
  createAccounts: false,
  trustEmail: false,
  groupsClaim: 'groups',
  allowedGroups: [],
  groups: {},
  roles: {},
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function listen(handler: () => Handler): Promise<{ server: Server; issuer: string }> {
  const server = createServer((request, response) => handler()(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { server, issuer: `http://127.0.0.1:${port}` }
}

const closing = (server: Server) => () =>
  new Promise<void>((done) => {
    server.closeAllConnections()
    server.close(() => done())
  })

/** A real provider. */
export async function startProvider(): Promise<TestProvider> {
  const { default: Provider } = await import('oidc-provider')
  let handle: Handler = (_, response) => response.writeHead(503).end()
  const { server, issuer } = await listen(() => handle)
  const known = new Map<string, Claims>()
  const provider: TestProvider = {
    issuer,
    settings: providerSettings(issuer),
    person: { sub: 'nobody' },
    register(redirectUri) {
      const made = new Provider(issuer, {
        clients: [
          {
            client_id: 'parley',
            client_secret: clientSecret,
            redirect_uris: [redirectUri],
            post_logout_redirect_uris: [new URL('/login/', redirectUri).href],
          },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'groups'],
        },
        pkce: { required: () => true },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
        cookies: { keys: ['test'] },
        findAccount: (_: unknown, sub: string) => ({
          accountId: sub,
          claims: () => known.get(sub) ?? { sub },
        }),
        async loadExistingGrant({ oidc }) {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client.clientId,
            accountId: oidc.session.accountId,
          })
          grant.addOIDCScope('openid profile email')
          await grant.save()
          return grant
        },
      })
      const callback = made.callback()
      handle = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return callback(request, response)
        const { person } = provider
        known.set(person.sub, person)
        void made.interactionFinished(request, response, { login: { accountId: person.sub } })
      }
    },
    close: closing(server),
  }
  return provider
}

/** What a dishonest provider puts into its token instead of the truth. */
export interface Lies {
  readonly claims?: Readonly<Record<string, unknown>>
  /** What it says of the person where it is asked for more than the token holds. */
  readonly userInfo?: Readonly<Record<string, unknown>>
  /** Whether to sign with a key that it does not publish. */
  readonly otherKey?: boolean
}

export interface LyingProvider extends Pick<TestProvider, 'issuer' | 'settings' | 'close'> {
  /** What its next token holds. @param nonce the one that it should repeat */
  answer(nonce: string, lies: Lies): void
}

/** A provider that says whatever it is told to. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const [key, other] = [newKey(), newKey()]
  let token = ''
  let userInfo: object = {}
  const replies: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({
      keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }],
    }),
    '/userinfo': () => userInfo,
    '/token': () => ({ access_token: 'access', token_type: 'bearer', id_token: token }),
  }
  const { server, issuer } = await listen(() => (request, response) => {
    const reply = replies[request.url ?? '']
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply?.() ?? {}))
  })
  return {
    issuer,
    settings: { ...providerSettings(issuer), id: 'liar', name: 'Liar' },
    answer(nonce, { claims = {}, userInfo: more, otherKey = false }) {
      const now = Math.floor(Date.now() / 1000)
      const truth = { iss: issuer, aud: 'parley', sub: 'ann', iat: now, exp: now + 60, nonce }
      userInfo = { sub: claims.sub ?? 'ann', ...more }
      token = signed({ ...truth, ...claims }, (otherKey ? other : key).privateKey)
    },
    close: closing(server),
  }
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

function signed(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`
  return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`
}

/** Follows redirects to web pages. @returns the last page, or the redirect out of the web */
export async function follow(browser: FormBrowser, path: string) {
  let at = path
  for (let i = 0; i < 10; i++) {
    const page = await browser.go(at)
    const location = page.headers.get('location')
    if (location === null || location.startsWith('zulip:')) return page
    at = new URL(location, at.startsWith('http') ? at : undefined).href
  }
  throw new Error(`${path} redirects too often.`)
}
