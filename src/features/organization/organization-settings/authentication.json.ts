import { isSecondFactorUsed } from '#features/access/two-factor/queries.ts'
import { listProviders } from '#features/foundation/identity-providers/queries.ts'
import { usesPasswords } from '#features/foundation/identity-providers/rules.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { browserLoginPath } from '#features/foundation/sessions/entering.pages.ts'
import type { Read } from '#platform/store/store.ts'

/** The ways to log in, in the form of `GET /server_settings`. */
export function loginMethods(read: Read) {
  const password = usesPasswords(read)
  return {
    password,
    dev: read.config.fixture,
    email: password,
    ldap: false,
    remoteuser: false,
    github: false,
    azuread: false,
    gitlab: false,
    google: false,
    apple: false,
    saml: false,
    'openid connect': listProviders(read).length > 0,
  }
}

/**
 * The log-in page in the browser, as a way for apps: they get no key for a password alone if there
 * are second factors.
 */
export function browserMethods(read: Read) {
  const isNeeded = realmSetting(read, 'two_factor_required') || isSecondFactorUsed(read)
  if (!isNeeded || !usesPasswords(read)) return []
  return [
    {
      name: 'browser',
      display_name: 'Log in with browser',
      display_icon: null,
      login_url: browserLoginPath,
      signup_url: '/register/',
    },
  ]
}

/** The ways to log in, in the form of `POST /register`. */
export function authenticationMethods(read: Read) {
  const hasProviders = listProviders(read).length > 0
  return {
    ...(read.config.fixture && { Dev: { enabled: true, available: true } }),
    Email: { enabled: usesPasswords(read), available: true },
    ...(hasProviders && { 'OpenID Connect': { enabled: true, available: true } }),
  }
}
