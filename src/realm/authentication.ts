import type { Context } from '#context.ts'

/**
 * How people can log in, as `GET /server_settings` says it: an address and a password, and the
 * development login of the fixture organization.
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

/** The same as `POST /register` says it, for whoever configures the organization. */
export function authenticationMethods(server: Context) {
  return {
    ...(server.config.fixture && { Dev: { enabled: true, available: true } }),
    Email: { enabled: true, available: true },
  }
}
