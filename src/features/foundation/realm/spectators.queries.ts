import type { Read } from '#platform/store/store.ts'
import { realmSetting } from './settings.queries.ts'

/**
 * Whether people without an account may read what is public on the web: only while both the
 * operator (`Config.webPublicChannels`) and the organization allow it.
 *
 * @source Zulip API, "Get server settings", `realm_web_public_access_enabled`
 */
export function allowsSpectators(read: Read): boolean {
  return read.config.webPublicChannels && realmSetting(read, 'enable_spectator_access')
}
