import type { Context as HonoContext } from 'hono'
import { enterByPassword } from '#features/access/accounts/login/entering.actions.ts'
import {
  afterPassword,
  passwordRequest,
} from '#features/access/accounts/login/second-step.pages.ts'
import { accountExistsMail, registrationMail } from '#features/access/invites/mails.ts'
import { requireAllowedAddress } from '#features/foundation/domains/rules.ts'
import { listProviders } from '#features/foundation/identity-providers/queries.ts'
import { usesPasswords } from '#features/foundation/identity-providers/rules.ts'
import { canMail, canSendMail, queueMail } from '#features/foundation/mail/actions.ts'
import {
  deleteMailLinksTo,
  findMailLink,
  insertMailLink,
} from '#features/foundation/mail/links.queries.ts'
import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { homePath } from '#features/foundation/sessions/entering.pages.ts'
import { hashCost, hashPassword, passwordLengths } from '#features/foundation/users/passwords.ts'
import {
  countActivePeople,
  findUser,
  findUserByAddress,
} from '#features/foundation/users/queries.ts'
import { accountProblems, type NewAccount } from '#features/foundation/users/rules.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { RawParams } from '#platform/http/decode.ts'
import { redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, notOwn } from '#platform/pages/form-guard.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { pathOf } from '#platform/pages/path.ts'
import type { Read } from '#platform/store/store.ts'
import { type Admission, findAdmission, findAdmissionById, isOpenToAll, join } from './actions.ts'
import {
  addressForm,
  checkMailPage,
  emptyJoinForm,
  type JoinFormState,
  joinForm,
  noAdmissionPage,
  providersPage,
} from './views.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

/** A page on which someone can join now. */
interface JoinOffer {
  readonly by: Admission
  /** The address that the link was mailed to; null if the person may enter any address. */
  readonly email: string | null
}

/**
 * The pages on which people join: by an invitation, or on their own where the organization allows
 * it. If the server can send mail, they confirm their address first. The pages work without
 * JavaScript.
 */
export function mountJoining(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  const entries: [path: string, find: (read: Read, key: string) => JoinOffer | undefined][] = [
    ['/join/:key/', findInvited],
    ['/register/', (read) => (findRealm(read) && isOpenToAll(read) ? openEntry : undefined)],
    ['/register/:key/', findConfirmed],
  ]
  for (const [path, find] of entries) {
    const keyOf = (c: HonoContext) => c.req.param('key') ?? ''
    const entryOf = (c: HonoContext) => find(server.store, keyOf(c))
    const noEntry = (c: HonoContext) => guard.wrongLink(c, keyOf(c), noAdmissionPage)
    app.get(path, async (c) => {
      const entry = entryOf(c)
      return entry ? await showForm(c, server, guard, entry, emptyJoinForm) : await noEntry(c)
    })
    app.post(path, async (c) => {
      const entry = entryOf(c)
      return entry ? await submit(c, server, guard, entry) : await noEntry(c)
    })
    // Some programs drop the last slash of a link.
    app.get(path.slice(0, -1), (c) => redirect(`${pathOf(c)}/`))
  }
}

const openEntry: JoinOffer = { by: 'open', email: null }

function findInvited(read: Read, key: string): JoinOffer | undefined {
  const invitation = findAdmission(read, key)
  return invitation && { by: invitation, email: invitation.email }
}

function findConfirmed(read: Read, key: string): JoinOffer | undefined {
  const link = findMailLink(read, 'registration', key)
  if (!link) return undefined
  const { email, invitationId } = link
  if (invitationId === null) return isOpenToAll(read) ? { by: 'open', email } : undefined
  const invitation = findAdmissionById(read, invitationId)
  return invitation && { by: invitation, email }
}

async function showForm(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  { by, email }: JoinOffer,
  filled: JoinFormState,
): Promise<Response> {
  const { store, config } = server
  const language = pageLanguage(c, server)
  const organization = requireRealm(store).name
  const providers = listProviders(store)
  const invitation = by === 'open' ? undefined : by.key
  const inviter = by === 'open' ? undefined : findUser(store, by.inviterId)?.fullName
  const people = inviter === undefined ? undefined : countActivePeople(store)
  const about = { language, organization, providers, invitation, inviter, people }
  const shown = { ...about, action: pathOf(c), email, filled }
  if (!usesPasswords(store)) return await providersPage(shown)
  const form = email === null && canSendMail(config) ? addressForm : joinForm
  return await guard.show(c, (seal) => form({ ...shown, seal }))
}

async function submit(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  entry: JoinOffer,
): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const values = accountIn(params, entry)
  const again = (problems: JoinFormState['problems']) =>
    showForm(c, server, guard, entry, { values, problems })
  // The page shows no form then.
  if (!usesPasswords(server.store)) return await again({})
  if (!guard.isOwn(c, params)) {
    return await again({ form: notOwn })
  }
  const refusal = await guard.tooMany(c)
  if (refusal) return refusal
  if (entry.email === null && canSendMail(server.config)) {
    const { email: problem } = accountProblems(values, passwordLengths(server.config))
    if (problem) return await again({ email: problem })
    return await confirm(c, server, entry, values, again)
  }
  const problems = accountProblems(values, passwordLengths(server.config))
  if (Object.keys(problems).length > 0) return await again(problems)
  const passwordHash = await hashPassword(values.password, hashCost(server.config))
  try {
    const request = passwordRequest(c, server)
    const outcome = await server.store.write((tx) => {
      const isEmailVerified = entry.email !== null
      const newcomer = { ...values, isEmailVerified, passwordHash }
      const user = join(tx, server, entry.by, newcomer)
      deleteMailLinksTo(tx, 'registration', values.email)
      return enterByPassword(tx, server, user, { next: homePath }, request)
    })
    return await afterPassword(c, server, guard, outcome, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'NOT_FOUND') return await noAdmissionPage(pageLanguage(c, server))
    return await again({ form: error.sentence })
  }
}

function accountIn(params: RawParams, { email }: JoinOffer): NewAccount {
  return {
    email: email ?? (params.get('email') ?? '').trim(),
    fullName: params.get('full_name') ?? '',
    password: params.get('password') ?? '',
  }
}

/** Mails a link that confirms the address; if the address has an account, mails that instead. */
async function confirm(
  c: HonoContext,
  server: SystemContext,
  { by }: JoinOffer,
  { email }: NewAccount,
  again: (problems: JoinFormState['problems']) => Promise<Response>,
): Promise<Response> {
  const { realmUrl } = server
  try {
    requireAllowedAddress(server.store, email)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await again({ email: error.sentence })
  }
  await server.store.write((tx) => {
    if (!canMail(tx, email)) return
    const invitationId = by === 'open' ? null : by.id
    // Also inserted for an address that has an account, so that the time is the same; nobody gets
    // that link.
    const key = insertMailLink(tx, { purpose: 'registration', email, invitationId })
    queueMail(
      tx,
      null,
      findUserByAddress(tx, email)
        ? accountExistsMail(tx, email, realmUrl)
        : registrationMail(tx, email, `${realmUrl}/register/${key}/`),
    )
  })
  return await checkMailPage(pageLanguage(c, server), email)
}
