import { sessionCookies } from '#features/foundation/sessions/cookies.pages.ts'
import { insertSession } from '#features/foundation/sessions/queries.ts'
import { longestPassword } from '#features/foundation/users/passwords.ts'
import { findUser, findUserByAddress, roles } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import { publicEndpoint } from '#platform/http/endpoint.ts'
import { text, word } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { logIn, recordLogin, requireActive, requireLogin } from './actions.ts'
import { requireNoSecondStep } from './entering.actions.ts'
import { listDevPeople } from './people.queries.ts'

const loginMembers = { api_key: shape.string, email: shape.string, user_id: shape.integer }

/**
 * Returns the API key for a login by password.
 *
 * @source Zulip API, "Fetch an API key (production)"
 */
export const fetchApiKey = publicEndpoint({
  method: 'post',
  path: '/fetch_api_key',
  summary: 'Get the API key of an account, given its password.',
  description:
    'Accounts with two-factor authentication need a session, or an external authentication method.',
  params: { username: word(320), password: text(longestPassword) },
  budget: 'login',
  errors: ['AUTHENTICATION_FAILED', 'PASSWORD_AUTH_DISABLED', 'USER_DEACTIVATED'],
  reply: loginMembers,
  async run(caller, p, { server, store, address, guess, header }) {
    const known = await logIn(store, p.username, p.password, guess)
    // The session was opened with the second factor, and is checked again in the write.
    const isInside = caller?.sessionId !== undefined && caller.user.id === known.id
    const user = await (isInside ? caller.store : store).write((tx) => {
      const current = requireLogin(tx, known)
      if (!isInside) requireNoSecondStep(tx, current)
      recordLogin(tx, server, current, {
        address,
        device: header('user-agent'),
        by: 'password',
      })
      return current
    })
    server.rateLimits.guesses.recognise(user.id, address)
    return { api_key: user.apiKey, email: user.email, user_id: user.id }
  },
})

/**
 * Returns any user's API key, and starts a session; in the development organization only.
 *
 * @source Zulip API, "Fetch an API key (development only)"
 */
export const devFetchApiKey = publicEndpoint({
  method: 'post',
  path: '/dev_fetch_api_key',
  summary: 'Get the API key of any user of the development organization.',
  params: { username: word(320) },
  budget: 'login',
  errors: ['USER_DEACTIVATED'],
  reply: loginMembers,
  async run(_caller, p, { server, store, origin, header, setHeader }) {
    requireFixture(server.config.fixture)
    const user = findUserByAddress(store, p.username)
    if (!user || user.isSystemBot) throw badRequest('Invalid username.')
    requireActive(user)
    const session = await store.write((tx) => {
      requireActive(findUser(tx, user.id) ?? user)
      return insertSession(tx, user.id, server.clock, header('user-agent'))
    })
    for (const cookie of sessionCookies(session, origin.startsWith('https:')))
      setHeader('Set-Cookie', cookie)
    return { api_key: user.apiKey, email: user.email, user_id: user.id }
  },
})

const people = shape.list(
  shape.object({ email: shape.string, realm_uri: shape.string, realm_url: shape.string }),
)

/** The users whose keys `dev_fetch_api_key` returns, for the login screen of the mobile app. */
export const devListUsers = publicEndpoint({
  method: 'get',
  path: '/dev_list_users',
  summary:
    'List the users of the development organization, all of whom can log in without a password.',
  params: {},
  reply: { direct_admins: people, direct_users: people },
  run(_caller, _p, { server, store, origin }) {
    requireFixture(server.config.fixture)
    const people = listDevPeople(store)
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
