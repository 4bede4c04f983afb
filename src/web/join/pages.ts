import type { Context as HonoContext } from 'hono'
import type { Context } from '#context.ts'
import { requireAllowedAddress } from '#domains/rules.ts'
import { ApiError } from '#errors.ts'
import type { RawParams } from '#http/decode.ts'
import type { App } from '#http/mount.ts'
import { readInput } from '#http/request.ts'
import {
  type Admission,
  findAdmission,
  findAdmissionById,
  isOpenToAll,
  join,
} from '#invites/joining.ts'
import { accountExistsMail, registrationMail } from '#invites/mails.ts'
import { canSendMail, queueMail } from '#mail/actions.ts'
import { deleteMailLinksTo, findMailLink, insertMailLink } from '#mail/links.ts'
import { findRealm, requireRealm } from '#realm/queries.ts'
import type { Read } from '#store/write.ts'
import { hashPassword } from '#users/passwords.ts'
import { findUserByAddress } from '#users/queries.ts'
import { accountProblems, type NewAccount } from '#users/rules.ts'
import { insertSession } from '#users/sessions/queries.ts'
import { enter } from '#web/entering.ts'
import { createFormGuard, type FormGuard } from '#web/guard.ts'
import {
  addressForm,
  type Filled,
  joinForm,
  lookIntoMailPage,
  noAdmissionPage,
  unfilled,
} from './views.ts'

/** The form's size in bytes, with room to spare. */
const bodyLimit = 16 * 1024

/** A way in that is open: by what, and for which address, where that is decided. */
interface Door {
  readonly by: Admission
  /** The address that mail reached; null while any address will do. */
  readonly email: string | null
}

/**
 * How people join: by an invitation, or by themselves where the organization lets them. Where mail
 * can be sent, an address has to be shown to be theirs first. Works without JavaScript.
 */
export function mountJoining(app: App, server: Context): void {
  const guard = createFormGuard(server)
  const doors: [path: string, find: (read: Read, key: string) => Door | undefined][] = [
    ['/join/:key/', findInvited],
    ['/register/', (read) => (findRealm(read) && isOpenToAll(read) ? openDoor : undefined)],
    ['/register/:key/', findConfirmed],
  ]
  for (const [path, find] of doors) {
    const doorOf = (c: HonoContext) => find(server.store, c.req.param('key') ?? '')
    app.get(path, async (c) => {
      const door = doorOf(c)
      return door ? await showForm(c, server, guard, door, unfilled) : await noAdmissionPage()
    })
    app.post(path, async (c) => {
      const door = doorOf(c)
      return door ? await submit(c, server, guard, door) : await noAdmissionPage()
    })
    // Links lose their last slash on the way.
    app.get(path.slice(0, -1), (c) => c.redirect(`${c.req.path}/`))
  }
}

const openDoor: Door = { by: 'open', email: null }

function findInvited(read: Read, key: string): Door | undefined {
  const invitation = findAdmission(read, key)
  return invitation && { by: invitation, email: invitation.email }
}

function findConfirmed(read: Read, key: string): Door | undefined {
  const link = findMailLink(read, 'registration', key)
  if (!link) return undefined
  const { email, invitationId } = link
  if (invitationId === null) return isOpenToAll(read) ? { by: 'open', email } : undefined
  const invitation = findAdmissionById(read, invitationId)
  return invitation && { by: invitation, email }
}

async function showForm(
  c: HonoContext,
  server: Context,
  guard: FormGuard,
  { email }: Door,
  filled: Filled,
): Promise<Response> {
  const organization = requireRealm(server.store).name
  const action = new URL(c.req.url).pathname
  const form = email === null && canSendMail(server.config) ? addressForm : joinForm
  return await guard.show(c, (seal) => form({ organization, action, seal, email, filled }))
}

async function submit(
  c: HonoContext,
  server: Context,
  guard: FormGuard,
  door: Door,
): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const values = accountIn(params, door)
  const again = (problems: Filled['problems']) =>
    showForm(c, server, guard, door, { values, problems })
  if (!guard.isOwn(c, params)) {
    return await again({ form: 'Please send this again; your browser has to accept cookies.' })
  }
  const refusal = await guard.tooMany(c)
  if (refusal) return refusal
  if (door.email === null && canSendMail(server.config)) {
    const { email: problem } = accountProblems(values)
    if (problem) return await again({ email: problem })
    return await confirm(server, guard, door, values, again)
  }
  const problems = accountProblems(values)
  if (Object.keys(problems).length > 0) return await again(problems)
  const passwordHash = await hashPassword(values.password)
  try {
    const session = await server.store.write((tx) => {
      const user = join(tx, server, door.by, { ...values, passwordHash })
      deleteMailLinksTo(tx, 'registration', values.email)
      return insertSession(tx, user.id, server.clock)
    })
    return enter(c, server, session)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'NOT_FOUND') return await noAdmissionPage()
    return await again({ form: error.message })
  }
}

function accountIn(params: RawParams, { email }: Door): NewAccount {
  return {
    email: email ?? (params.get('email') ?? '').trim(),
    fullName: params.get('full_name') ?? '',
    password: params.get('password') ?? '',
  }
}

/** Sends the link that shows whose an address is; to who has an account, that they have one. */
async function confirm(
  server: Context,
  guard: FormGuard,
  { by }: Door,
  { email }: NewAccount,
  again: (problems: Filled['problems']) => Promise<Response>,
): Promise<Response> {
  const { realmUrl } = server
  try {
    requireAllowedAddress(server.store, email)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await again({ email: error.message })
  }
  if (!guard.mayMail(email)) return await lookIntoMailPage(email)
  await server.store.write((tx) => {
    if (findUserByAddress(tx, email)) return queueMail(tx, accountExistsMail(tx, email, realmUrl))
    const invitationId = by === 'open' ? null : by.id
    const key = insertMailLink(tx, { purpose: 'registration', email, invitationId })
    queueMail(tx, registrationMail(tx, email, `${realmUrl}/register/${key}/`))
  })
  return await lookIntoMailPage(email)
}
