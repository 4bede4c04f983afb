import {
  unsubscribeKinds,
  unsubscribePath,
  userOfKey,
} from '#features/foundation/mail/unsubscribe.queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { SystemContext } from '#platform/context.ts'
import type { App } from '#platform/http/mount.ts'
import { createFormGuard } from '#platform/pages/form-guard.ts'
import { pathOf } from '#platform/pages/path.ts'
import { unsubscribe } from './actions.ts'
import { unknownKeyPage, unsubscribedPage, unsubscribeForm } from './views.ts'

/**
 * The pages to end a kind of mail. Only their button acts, because programs that look for dangers in
 * mail open its links; mail programs send the same request for their own button.
 */
export function mountUnsubscribe(app: App, server: SystemContext): void {
  const { store } = server
  const guard = createFormGuard(server)
  for (const kind of unsubscribeKinds) {
    const path = `${unsubscribePath}${kind}/:key/` as const
    app.get(path, async (c) => {
      const key = c.req.param('key')
      const userId = userOfKey(store, kind, key)
      if (userId === undefined) return await guard.wrongLink(c, key, unknownKeyPage)
      return await unsubscribeForm(userLanguage(store, { id: userId }), kind, pathOf(c))
    })
    app.post(path, async (c) => {
      const key = c.req.param('key')
      const userId = userOfKey(store, kind, key)
      if (userId === undefined) return await guard.wrongLink(c, key, unknownKeyPage)
      await store.write((tx) => unsubscribe(tx, userId, kind))
      return await unsubscribedPage(userLanguage(store, { id: userId }), kind)
    })
  }
}
