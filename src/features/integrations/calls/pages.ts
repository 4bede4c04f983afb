import type { SystemContext } from '#platform/context.ts'
import { notLoggedIn } from '#platform/errors.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import type { App } from '#platform/http/mount.ts'
import { joinMeeting } from './actions.ts'
import { joinPath } from './bigbluebutton.ts'

/** Leads people who are logged in from the link of a BigBlueButton meeting into it. */
export function mountCalls(app: App, server: SystemContext): void {
  app.get(joinPath, async (c) => {
    const caller = authenticateBrowser(c, server)
    if (!caller) throw notLoggedIn()
    // The address of a meeting holds the reader's name and role, so no cache keeps it.
    c.header('Cache-Control', 'no-store')
    return c.redirect(await joinMeeting(caller, c.req.query()), 303)
  })
}
