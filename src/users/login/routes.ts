import { badRequest } from '#errors.ts'
import { publicEndpoint } from '#http/endpoint.ts'
import { text, word } from '#http/params.ts'
import { integer, list, object, string } from '#shape.ts'
import { passwordLengths } from '#users/passwords.ts'
import { findUserByAddress, listUsers, roles } from '#users/queries.ts'
import { insertSession } from '#users/sessions/queries.ts'
import { logIn, requireActive, tellOfLogin } from './actions.ts'
import { sessionCookies } from './cookies.ts'

const loginMembers = { api_key: string, email: string, user_id: integer }

/**
 * The API key for a login by password.
 *
 * @source the API description of `POST /fetch_api_key`; clients.md §0.3
 */
export const fetchApiKey = publicEndpoint({
  method: 'post',
  path: '/fetch_api_key',
  summary: 'Get the API key of an account by its password.',
  params: { username: word(320), password: text(passwordLengths.most) },
  budget: 'login',
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
  reply: loginMembers,
  async run(_caller, p, { server, address }) {
    const user = await logIn(server.store, p.username, p.password)
    await server.store.write((tx) => tellOfLogin(tx, server, user, address))
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
  summary: 'Get the API key of anybody, in the development organization.',
  params: { username: word(320) },
  budget: 'login',
  errors: ['USER_DEACTIVATED'],
  reply: loginMembers,
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

const people = list(object({ email: string, realm_uri: string, realm_url: string }))

/** Whom `dev_fetch_api_key` knows. @source fixture-organization.md */
export const devListUsers = publicEndpoint({
  method: 'get',
  path: '/dev_list_users',
  summary: 'List whom the development organization lets log in without a password.',
  params: {},
  reply: { direct_admins: people, direct_users: people },
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
