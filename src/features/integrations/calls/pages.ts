import type { Context as HonoContext } from 'hono'
import type { SystemContext } from '#platform/context.ts'
import { notLoggedIn } from '#platform/errors.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import type { Caller } from '#platform/http/caller.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { lightJson, redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { openBill } from '#platform/http/rate-limit.ts'
import { receiveBody } from '#platform/http/request.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { joinMeeting } from './actions.ts'
import { joinPath } from './bigbluebutton.ts'
import { connectedPage } from './views.ts'
import { finishConnecting, startConnecting, takeZoomNotice } from './zoom.actions.ts'
import { completePath, deauthorizePath, registerPath } from './zoom.ts'

/** Addresses that lead into a meeting hold the reader's name and role. */
const unkept = [['Cache-Control', 'no-store']] as const

/** The largest notice from Zoom, in bytes. */
const noticeLimit = 64 * 1024

/**
 * Leads logged-in people into a BigBlueButton meeting, and to Zoom and back; receives notices from
 * Zoom.
 */
export function mountCalls(app: App, server: SystemContext): void {
  app.get(joinPath, async (c) => {
    const { caller } = requireBrowser(c, server)
    return redirect(await joinMeeting(caller, c.req.query()), 303, unkept)
  })
  app.get(registerPath, (c) => {
    const { caller, sessionId } = requireBrowser(c, server)
    return redirect(startConnecting(caller, sessionId), 303, unkept)
  })
  app.get(completePath, async (c) => {
    const { caller, sessionId } = requireBrowser(c, server)
    await finishConnecting(caller, sessionId, c.req.query())
    return await connectedPage(pageLanguage(c, server))
  })
  app.post(deauthorizePath, async (c) => {
    const address = clientAddress(server, c)
    openBill(c, server.rateLimits.bill('anonymous', address))
    const body = await receiveBody(c, noticeLimit)
    const header = (name: string) => c.req.header(name)
    return lightJson(await takeZoomNotice(server, { body, header }, address))
  })
}

/** @throws UNAUTHORIZED the browser has no session */
function requireBrowser(
  c: HonoContext,
  server: SystemContext,
): { readonly caller: Caller; readonly sessionId: string } {
  const caller = authenticateBrowser(c, server)
  if (caller?.sessionId === undefined) throw notLoggedIn()
  return { caller, sessionId: caller.sessionId }
}
