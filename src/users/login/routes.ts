import { badRequest } from '#errors.ts'
import { publicEndpoint } from '#http/endpoint.ts'
import { text, word } from '#http/params.ts'
import { passwordLengths } from '#users/passwords.ts'
import { findUserByAddress, listUsers, roles } from '#users/queries.ts'
import { insertSession } from '#users/sessions/queries.ts'
import { logIn, requireActive } from './actions.ts'
import { sessionCookies } from './cookies.ts'

/**
 * The API key for a login by password.
 *
 * @source the API description of `POST /fetch_api_key`; clients.md §0.3
 */
export const fetchApiKey = publicEndpoint({
  method: 'post',
  path: '/fetch_api_key',
  params: { username: word(320), password: text(passwordLengths.most) },
  budget: 'login',
  async run(_caller, p, { server }) {
    const user = await logIn(server.store, p.username, p.password)
    return { api_key: user.apiKey, email: user.email, user_id: user.id }
  },
})

/**
 * The API key of anybody, and a session: in the development organization alone.
 *
 * @source fixture-organization.md; the API description of `POST /dev_fetch_api_key`
 */
export const devFetchApiKey = publicEndpoint({
  method: 'post',
  path: '/dev_fetch_api_key',
  params: { username: word(320) },
  budget: 'login',
  async run(_caller, p, { server, origin, setHeader }) {
    requireFixture(server.config.fixture)
    const user = findUserByAddress(server.store, p.username)
    if (!user || user.isSystemBot) throw badRequest('Invalid username.')
    requireActive(user)
    const session = await server.store.write((tx) => insertSession(tx, user.id, server.clock))
    for (const cookie of sessionCookies(session, origin.startsWith('https:')))
      setHeader('Set-Cookie', cookie)
    return { api_key: user.apiKey, email: user.email, user_id: user.id }
  },
})

/** Whom `dev_fetch_api_key` knows. @source fixture-organization.md */
export const devListUsers = publicEndpoint({
  method: 'get',
  path: '/dev_list_users',
  params: {},
  run(_caller, _p, { server, origin }) {
    requireFixture(server.config.fixture)
    const people = listUsers(server.store).filter((user) => user.isActive && user.botType === null)
    const list = (wanted: (role: number) => boolean) =>
      people
        .filter((user) => wanted(user.role))
        .map(({ email }) => ({ email, realm_uri: origin, realm_url: origin }))
    return {
      direct_admins: list((role) => role <= roles.admin),
      direct_users: list((role) => role > roles.admin),
    }
  },
})

function requireFixture(fixture: boolean): void {
  if (!fixture) throw badRequest('Endpoint not available in production.')
}
