import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { insertSession } from '#features/foundation/sessions/queries.ts'
import { type FormBrowser, openBrowser, sealOf } from './browser.ts'
import type { Actor, Client, TestServer } from './server.ts'

type Params = Readonly<Record<string, string>>

/** An answer of the authorization server, with its status. */
export interface Answered {
  readonly status: number
  readonly [member: string]: unknown
}

/** The tokens of a connection. */
export interface Tokens extends Answered {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

/** A program that connects assistants, as a client of OAuth. */
export interface Program {
  readonly id: string
  readonly redirect: string
  readonly verifier: string
  /** The address where a person is asked, with other or further parameters; '' leaves one out. */
  address(changed?: Params): string
  /** Opens the address, and sends the form. @returns the parameters of the answer */
  allow(browser: FormBrowser, typed?: Params, changed?: Params): Promise<URLSearchParams>
  /** Exchanges a code. */
  exchange(code: string, changed?: Params): Promise<Answered>
  refresh(token: string, changed?: Params): Promise<Answered>
  /** All of it, as this person. */
  connect(actor: Actor | Pick<Client, 'id'>, typed?: Params): Promise<Tokens>
}

/** A browser with a session. */
export async function browserOf(
  server: TestServer,
  person: Actor | Pick<Client, 'id'>,
): Promise<FormBrowser> {
  const { store, clock } = server.server.context
  const userId = typeof person === 'string' ? server.ids[person] : person.id
  const session = await store.write((tx) => insertSession(tx, userId, clock))
  const browser = openBrowser(server.url)
  browser.cookies.set('sessionid', session.token)
  return browser
}

/** Sends a form or an object to the authorization server. */
export async function sendOAuth(
  server: TestServer,
  path: string,
  body: Params | object,
  json = false,
): Promise<Answered> {
  const reply = await server.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': json ? 'application/json' : 'application/x-www-form-urlencoded' },
    body: json ? JSON.stringify(body) : new URLSearchParams(body as Params).toString(),
  })
  const text = await reply.text()
  return { status: reply.status, ...(text === '' ? {} : JSON.parse(text)) }
}

/** Registers a program. @param redirect where it waits for answers */
export async function registerProgram(
  server: TestServer,
  name = 'Claude',
  redirect = 'https://claude.example/callback',
): Promise<Program> {
  const asked = { client_name: name, redirect_uris: [redirect] }
  const registered = await sendOAuth(server, '/oauth/register', asked, true)
  assert.equal(registered.status, 201, JSON.stringify(registered))
  const id = String(registered.client_id)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const resource = `${server.url}/mcp`
  const address = (changed: Params = {}) => {
    const params = {
      response_type: 'code',
      client_id: id,
      redirect_uri: redirect,
      state: 'a state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource,
      ...changed,
    }
    const given = Object.entries(params).filter(([, value]) => value !== '')
    return `/oauth/authorize?${new URLSearchParams(given)}`
  }
  const exchange = (code: string, changed: Params = {}) =>
    sendOAuth(server, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: id,
      redirect_uri: redirect,
      code_verifier: verifier,
      resource,
      code,
      ...changed,
    })
  const program: Program = {
    id,
    redirect,
    verifier,
    address,
    async allow(browser, typed = {}, changed = {}) {
      const at = address(changed)
      const { text } = await browser.go(at)
      const form = { form: sealOf(text), decision: 'allow', access: 'write', ...typed }
      const { status, headers, text: again } = await browser.go(at, form)
      assert.equal(status, 303, again)
      return new URL(headers.get('location') ?? '').searchParams
    },
    exchange,
    refresh: (token, changed = {}) =>
      sendOAuth(server, '/oauth/token', {
        grant_type: 'refresh_token',
        client_id: id,
        refresh_token: token,
        ...changed,
      }),
    async connect(actor, typed) {
      const answer = await program.allow(await browserOf(server, actor), typed)
      const tokens = await exchange(answer.get('code') ?? '')
      assert.equal(tokens.status, 200, JSON.stringify(tokens))
      return tokens as Tokens
    },
  }
  return program
}

/** What a program with the protocol's own client keeps of its authorization, in memory. */
export function keptAuthorization(redirectUrl: string) {
  const kept: {
    information?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    verifier?: string
  } = {}
  const opened: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Test Desktop', redirect_uris: [redirectUrl] },
    state: () => 'the state',
    clientInformation: () => kept.information,
    saveClientInformation(information) {
      kept.information = information
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => void opened.push(url),
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens') delete kept.tokens
    },
  }
  return { provider, opened, tokens: () => kept.tokens }
}
