import type { Context } from '#platform/context.ts'
import type { App } from '#platform/http/mount.ts'
import { createFormGuard } from '#platform/pages/form-guard.ts'
import { pathOf } from '#platform/pages/path.ts'
import { unsubscribe } from './actions.ts'
import { unsubscribePath, userOfKey } from './keys.queries.ts'
import { unknownKeyPage, unsubscribedPage, unsubscribeForm } from './views.ts'

/**
 * The page to end mail about messages. Only its button acts, because programs that look for dangers
 * in mail open its links; mail programs send the same request for their own button.
 *
 * @source RFC 8058, "Signaling One-Click Functionality for List Email Headers"
 */
export function mountUnsubscribe(app: App, server: Context): void {
  const { store } = server
  const guard = createFormGuard(server)
  app.get(`${unsubscribePath}:key/`, async (c) => {
    const key = c.req.param('key')
    if (userOfKey(store, key) === undefined) return await guard.wrongLink(c, key, unknownKeyPage)
    return await unsubscribeForm(pathOf(c))
  })
  app.post(`${unsubscribePath}:key/`, async (c) => {
    const key = c.req.param('key')
    const userId = userOfKey(store, key)
    if (userId === undefined) return await guard.wrongLink(c, key, unknownKeyPage)
    await store.write((tx) => unsubscribe(tx, userId))
    return await unsubscribedPage()
  })
}
