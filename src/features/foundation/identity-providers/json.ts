import type { Context } from '#platform/context.ts'
import type { Read } from '#platform/store/store.ts'
import { callbackPathOf, logInPathOf, signUpPathOf } from './paths.ts'
import { listProviders } from './queries.ts'

/**
 * The ways to log in for which apps open a browser.
 *
 * @source Zulip API, "Get server settings": `external_authentication_methods`
 */
export function externalMethods(read: Read) {
  return listProviders(read).map(({ id, name }) => ({
    name: `oidc:${id}`,
    display_name: name,
    display_icon: null,
    login_url: logInPathOf(id),
    signup_url: signUpPathOf(id),
  }))
}

/** The address that a provider sends people back to, which has to be registered there. */
export function redirectUri({ realmUrl }: Pick<Context, 'realmUrl'>, id: string): string {
  return realmUrl + callbackPathOf(id)
}
