import type { User } from './queries.ts'

/**
 * The file from which bots and terminal clients take their account.
 *
 * @param site the server's origin
 * @source clients.md §1.3
 */
export function zuliprc(user: User, site: string): string {
  return `[api]\nemail=${user.email}\nkey=${user.apiKey}\nsite=${site}\n`
}
