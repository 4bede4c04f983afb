import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import type { App } from '#http/mount.ts'
import { readInput } from '#http/request.ts'
import { createLink } from '#invites/actions.ts'
import { joinUrl } from '#invites/json.ts'
import { can } from '#permissions/can.ts'
import { findRealm } from '#realm/queries.ts'
import { type NewOrganization, organizationProblems, setUpOrganization } from '#realm/set-up.ts'
import { sameText } from '#same-text.ts'
import { roles, type User } from '#users/queries.ts'
import { findSession, insertSession, sessionCookie } from '#users/sessions/queries.ts'
import { zuliprc } from '#users/zuliprc.ts'
import { connectPath, enter, loginPath } from '#web/entering.ts'
import { createFormGuard, type FormGuard, siteOf } from '#web/guard.ts'
import {
  connectPage,
  invitationPage,
  noOrganizationPage,
  setupForm,
  staleLinkPage,
} from './views.ts'

export const setupPath = '/setup'

const invitePath = `${connectPath}/invite`

/** The form's size in bytes, with room to spare. */
const bodyLimit = 16 * 1024

/**
 * The first run in a browser: a form behind the one-time link that the server prints, and then how
 * to connect clients and to let others in. Works without JavaScript.
 */
export function mountSetup(app: App, server: Context): void {
  const guard = createFormGuard(server)
  app.get('/', async (c) =>
    findRealm(server.store) ? c.redirect(connectPath) : await noOrganizationPage(),
  )
  app.get(setupPath, async (c) => {
    const token = c.req.query('token') ?? ''
    return maySetUp(server, token) ? await setupForm(token, empty, {}) : await staleLinkPage()
  })
  app.post(setupPath, async (c) => await submit(c, server))
  app.get(connectPath, async (c) => {
    const user = loggedIn(c, server)
    if (!user) return await notLoggedIn(c, server)
    const mayInvite = can(server.store, user, 'create_multiuse_invite_group')
    const invite = mayInvite ? invitePath : undefined
    return await guard.show(c, (seal) => connectPage(user, siteOf(c, server), { seal, invite }))
  })
  app.post(invitePath, async (c) => await invite(c, server, guard))
  app.get(`${connectPath}/zuliprc`, async (c) => {
    const user = loggedIn(c, server)
    if (!user) return await notLoggedIn(c, server)
    return c.body(zuliprc(user, siteOf(c, server)), 200, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': 'attachment; filename="zuliprc"',
      'Cache-Control': 'no-store',
    })
  })
}

const empty: NewOrganization = { organization: '', fullName: '', email: '', password: '' }

/** Once there is an organization, no token opens the page again. */
function maySetUp(server: Context, token: string): boolean {
  return sameText(token, server.setupToken) && !findRealm(server.store)
}

async function submit(c: HonoContext, server: Context): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const token = params.get('token') ?? ''
  if (!maySetUp(server, token)) return await staleLinkPage()
  const wanted: NewOrganization = {
    organization: params.get('organization') ?? '',
    fullName: params.get('full_name') ?? '',
    email: params.get('email') ?? '',
    password: params.get('password') ?? '',
  }
  const problems = organizationProblems(wanted)
  if (Object.keys(problems).length > 0) return await setupForm(token, wanted, problems)
  try {
    const owner = await setUpOrganization(server, wanted)
    const session = await server.store.write((tx) => insertSession(tx, owner.id, server.clock))
    return enter(c, server, session)
  } catch (error) {
    // Somebody else was faster, or the address is one that the server keeps for itself.
    if (!(error instanceof ApiError)) throw error
    if (findRealm(server.store)) return await staleLinkPage()
    return await setupForm(token, wanted, { email: error.message })
  }
}

/** Makes an ordinary invitation link for whoever is logged in. */
async function invite(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const user = loggedIn(c, server)
  if (!user) return await notLoggedIn(c, server)
  if (!guard.isOwn(c, params)) return c.redirect(connectPath, 303)
  const caller = { user, store: server.store, server, client: 'website' }
  const link = await server.store.write((tx) =>
    createLink(tx, caller, {
      role: roles.member,
      channelIds: [],
      groupIds: [],
      joinDefaultChannels: true,
      validMinutes: server.config.invitationMinutes,
      welcomeText: null,
      tellInviter: false,
    }),
  )
  return await invitationPage(joinUrl(siteOf(c, server), link.key), link.expiresAt)
}

async function notLoggedIn(c: HonoContext, server: Context): Promise<Response> {
  return findRealm(server.store) ? c.redirect(loginPath, 303) : await staleLinkPage()
}

function loggedIn(c: HonoContext, server: Context): User | undefined {
  const token = getCookie(c, sessionCookie)
  const user = token ? findSession(server.store, token, server.clock)?.user : undefined
  return user?.isActive ? user : undefined
}
