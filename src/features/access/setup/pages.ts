import type { Context as HonoContext } from 'hono'
import { zuliprc } from '#features/access/accounts/zuliprc.ts'
import { createLink } from '#features/access/invites/actions.ts'
import { joinUrl } from '#features/access/invites/json.ts'
import { can } from '#features/foundation/permissions/rules.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import {
  connectPath,
  loginPath,
  startBrowserSession,
} from '#features/foundation/sessions/entering.pages.ts'
import { insertSession } from '#features/foundation/sessions/queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { passwordLengths } from '#features/foundation/users/passwords.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import { LightReply, redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { originOf } from '#platform/http/origin.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard } from '#platform/pages/form-guard.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { type NewOrganization, organizationProblems, setUpOrganization } from './actions.ts'
import { connectPage, invitationPage, setupForm, staleLinkPage } from './views.ts'

export const setupPath = '/setup'

/** The path of the pages that import an organization. */
export const bringPath = `${setupPath}/import`

const invitePath = `${connectPath}/invite`

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

/**
 * The first run in a browser: a form behind the one-time link that the server prints, then a page
 * that explains how to connect clients and invite others. The pages work without JavaScript.
 */
export function mountSetup(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  app.get(setupPath, async (c) => {
    const token = c.req.query('token') ?? ''
    if (!maySetUp(server, token)) return await guard.wrongLink(c, token, staleLinkPage)
    return await setupForm(pageLanguage(c, server), token, empty, {}, bringLink(server, token))
  })
  app.post(setupPath, async (c) => await submit(c, server, guard))
  app.get(connectPath, async (c) => {
    const user = authenticateBrowser(c, server)?.user
    if (!user) return await notLoggedIn(c, server)
    const mayInvite = can(server.store, user, 'create_multiuse_invite_group')
    const invite = mayInvite ? invitePath : undefined
    return await guard.show(c, (seal) =>
      connectPage(userLanguage(server.store, user), user, originOf(server, c), { seal, invite }),
    )
  })
  app.post(invitePath, async (c) => await invite(c, server, guard))
  app.get(`${connectPath}/zuliprc`, async (c) => {
    const user = authenticateBrowser(c, server)?.user
    if (!user) return await notLoggedIn(c, server)
    return new LightReply(zuliprc(user, originOf(server, c)), {
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': 'attachment; filename="zuliprc"',
        'Cache-Control': 'no-store',
      },
    })
  })
}

const empty: NewOrganization = { organization: '', fullName: '', email: '', password: '' }

/** The path to import instead; undefined: the data is in memory, so nothing can be imported. */
const bringLink = ({ data }: Pick<SystemContext, 'data'>, token: string) =>
  data && `${bringPath}?token=${encodeURIComponent(token)}`

/** Once an organization exists, the page is closed. */
function maySetUp(server: SystemContext, token: string): boolean {
  return constantTimeEqual(token, server.setupToken) && !findRealm(server.store)
}

async function submit(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const token = params.get('token') ?? ''
  if (!maySetUp(server, token)) return await guard.wrongLink(c, token, staleLinkPage)
  const wanted: NewOrganization = {
    organization: params.get('organization') ?? '',
    fullName: params.get('full_name') ?? '',
    email: params.get('email') ?? '',
    password: params.get('password') ?? '',
  }
  const problems = organizationProblems(wanted, passwordLengths(server.config))
  if (Object.keys(problems).length > 0)
    return await setupForm(
      pageLanguage(c, server),
      token,
      wanted,
      problems,
      bringLink(server, token),
    )
  try {
    const owner = await setUpOrganization(server, wanted)
    const session = await server.store.write((tx) =>
      insertSession(tx, owner.id, server.clock, c.req.header('user-agent')),
    )
    return startBrowserSession(server, session)
  } catch (error) {
    // Another request was faster, or the server reserves the address.
    if (!(error instanceof ApiError)) throw error
    if (findRealm(server.store)) return await staleLinkPage(pageLanguage(c, server))
    return await setupForm(
      pageLanguage(c, server),
      token,
      wanted,
      { email: error.sentence },
      bringLink(server, token),
    )
  }
}

/** Creates an invitation link for a new member. */
async function invite(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const caller = authenticateBrowser(c, server)
  if (!caller) return await notLoggedIn(c, server)
  if (!guard.isOwn(c, params)) return redirect(connectPath, 303)
  const link = await caller.store.write((tx) =>
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
  return await invitationPage(
    userLanguage(server.store, caller.user),
    joinUrl(originOf(server, c), link.key),
    link.expiresAt,
  )
}

async function notLoggedIn(c: HonoContext, server: SystemContext): Promise<Response> {
  return findRealm(server.store)
    ? redirect(loginPath, 303)
    : await staleLinkPage(pageLanguage(c, server))
}
