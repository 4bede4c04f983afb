import type { User } from '#features/foundation/users/queries.ts'

/**
 * The configuration file with which bots and terminal clients log in.
 *
 * @param site the server's origin
 * @source Zulip API, "Configuring the Python bindings"
 */
export function zuliprc(user: User, site: string): string {
  return `[api]\nemail=${user.email}\nkey=${user.apiKey}\nsite=${site}\n`
}
