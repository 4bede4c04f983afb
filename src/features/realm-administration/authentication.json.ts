import { listProviders } from '#features/identity-providers/queries.ts'
import { usesPasswords } from '#features/identity-providers/rules.ts'
import type { Context } from '#platform/context.ts'

/** The ways to log in, in the form of `GET /server_settings`. */
export function loginMethods({ store, config }: Context) {
  const password = usesPasswords(store, config)
  return {
    password,
    dev: config.fixture,
    email: password,
    ldap: false,
    remoteuser: false,
    github: false,
    azuread: false,
    gitlab: false,
    google: false,
    apple: false,
    saml: false,
    'openid connect': listProviders(store, config).length > 0,
  }
}

/** The ways to log in, in the form of `POST /register`. */
export function authenticationMethods({ store, config }: Context) {
  const hasProviders = listProviders(store, config).length > 0
  return {
    ...(config.fixture && { Dev: { enabled: true, available: true } }),
    Email: { enabled: usesPasswords(store, config), available: true },
    ...(hasProviders && { 'OpenID Connect': { enabled: true, available: true } }),
  }
}
