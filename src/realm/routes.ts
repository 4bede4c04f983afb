import type { Context } from '#context.ts'
import { publicEndpoint } from '#http/endpoint.ts'
import { loginMethods } from './authentication.ts'
import { renderRealmDescription } from './description.ts'
import { iconPath } from './pages.ts'
import { hasWebPublicChannel, requireRealm } from './queries.ts'
import { versionFacts } from './server-facts.ts'
import { realmSetting } from './settings.ts'

/**
 * What a client shows before anybody logs in: that this is such a server, whose it is and how to
 * log in.
 *
 * @source the API description of `GET /server_settings`; api-changes §3d; clients.md §1
 */
export const getServerSettings = publicEndpoint({
  method: 'get',
  path: '/server_settings',
  params: {},
  run: (_caller, _p, { server, origin }) => ({
    ...versionFacts(server),
    authentication_methods: loginMethods(server),
    external_authentication_methods: [],
    email_auth_enabled: true,
    require_email_format_usernames: true,
    push_notifications_enabled: false,
    // No version of a client is refused.
    is_incompatible: false,
    ...realmFacts(server, origin),
  }),
})

function realmFacts(server: Context, origin: string) {
  const { store, config } = server
  const { name, description } = requireRealm(store)
  return {
    realm_url: origin,
    // zulip-flutter reads the older name still.
    realm_uri: origin,
    realm_name: name,
    realm_icon: iconPath,
    realm_description: renderRealmDescription(description, origin),
    realm_web_public_access_enabled:
      config.webPublicChannels &&
      realmSetting(store, 'enable_spectator_access') &&
      hasWebPublicChannel(store),
  }
}
