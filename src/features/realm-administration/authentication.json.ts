import type { Context } from '#platform/context.ts'

/**
 * The ways to log in, in the form of `GET /server_settings`: email address and password, and in the
 * fixture organization the development login.
 */
export function loginMethods(server: Context) {
  return {
    password: true,
    dev: server.config.fixture,
    email: true,
    ldap: false,
    remoteuser: false,
    github: false,
    azuread: false,
    gitlab: false,
    google: false,
    apple: false,
    saml: false,
    'openid connect': false,
  }
}

/** The ways to log in, in the form of `POST /register`. */
export function authenticationMethods(server: Context) {
  return {
    ...(server.config.fixture && { Dev: { enabled: true, available: true } }),
    Email: { enabled: true, available: true },
  }
}
