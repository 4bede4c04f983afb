import type { Context as HonoContext } from 'hono'
import { switchOn, useCode } from '#features/access/two-factor/actions.ts'
import { setupOf } from '#features/access/two-factor/codes.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { browserSecret, knownBrowser } from '#features/foundation/sessions/attempts.pages.ts'
import {
  type Attempt,
  deleteAttempt,
  findAttempt,
  insertAttempt,
} from '#features/foundation/sessions/attempts.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { codeBudget } from '#platform/http/code-guesses.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, tooManyPage } from '#platform/pages/form-guard.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import type { Arrival, LoginMeans } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type Sentence, sentence, sentSentence } from '#translations/translate.ts'
import { queueCodesMail } from './actions.ts'
import { type AfterPassword, enter, type LoginRequest } from './entering.actions.ts'
import { completeEntry, loginRequest } from './entering.pages.ts'
import {
  codePage,
  codePath,
  enrolledPath,
  enrolmentPage,
  enrolmentPath,
  overPage,
  recoveryCodesPage,
} from './second-step.views.ts'

/** In bytes; ample for the forms. */
const bodyLimit = 16 * 1024

type Step = 'code' | 'enrolment' | 'enrolled'

/** The pages between the password and the end of a log-in. */
export function mountSecondStep(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  app.post(codePath, async (c) => await step(c, server, guard, 'code', takeCode))
  app.post(enrolmentPath, async (c) => await step(c, server, guard, 'enrolment', enrol))
  app.post(enrolledPath, async (c) => await step(c, server, guard, 'enrolled', goOn))
}

/** A log-in by password, with the secret of its browser and the cookie that keeps it there. */
interface PasswordRequest extends LoginRequest {
  readonly browser: string
  readonly cookie: string
}

export function passwordRequest(c: HonoContext, server: Context): PasswordRequest {
  const { secret, cookie } = browserSecret(c, server)
  return { ...loginRequest(c, server, 'password'), browser: secret, cookie }
}

/** Continues after the right password: ends the log-in, or shows the page of the second step. */
export async function afterPassword(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  outcome: AfterPassword,
  { browser, cookie }: PasswordRequest,
): Promise<Response> {
  if (!('attempt' in outcome)) return await completeEntry(c, server, outcome)
  const { kind, attempt } = outcome
  const response = await (kind === 'code'
    ? guard.show(c, (seal, language) => codePage({ seal, language, attempt }))
    : showEnrolment(c, server, guard, { attempt, browser }))
  response.headers.append('Set-Cookie', cookie)
  return response
}

/** Shows the secret of this attempt, for the app. */
async function showEnrolment(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  {
    attempt,
    browser,
    problem,
  }: { attempt: string; browser: string | undefined; problem?: Sentence },
): Promise<Response> {
  const { store } = server
  const waiting = findAttempt(store, ['enrolment'], attempt, browser)
  const user = waiting?.userId ? findUser(store, waiting.userId) : undefined
  if (!waiting || !user) return await overPage(pageLanguage(c, server))
  const { secret } = waiting.details
  const { name } = requireRealm(store)
  const { qr } = setupOf(secret, user.email, name)
  return await guard.show(c, (seal, language) =>
    enrolmentPage({ seal, language, attempt, qr, secret, organization: name, problem }),
  )
}

/** A submitted form of an existing attempt. */
interface StepSubmission<S extends Step> {
  readonly key: string
  readonly code: string
  readonly user: User
  /** Finds the attempt again, in the write. */
  find(read: Read): Attempt<S> | undefined
}

type SubmissionHandler<S extends Step> = (
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  submitted: StepSubmission<S>,
) => Promise<Response>

/** The common checks of these forms. */
async function step<S extends Step>(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  name: S,
  handle: SubmissionHandler<S>,
): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const key = params.get('attempt') ?? ''
  const find = (read: Read) => findAttempt(read, [name], key, knownBrowser(c))
  const userId = find(server.store)?.userId
  const user = userId ? findUser(server.store, userId) : undefined
  if (!user) return await guard.wrongLink(c, key, overPage)
  if (!guard.isOwn(c, params)) return await overPage(pageLanguage(c, server))
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  try {
    return await handle(c, server, guard, { key, code: params.get('code') ?? '', user, find })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'RATE_LIMIT_HIT'
      ? await tooManyPage(pageLanguage(c, server), error)
      : await overPage(pageLanguage(c, server))
  }
}

const wrongCode = sentence(
  'This code is not right, or was already used. Enter the one that the app shows now.',
)

async function takeCode(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  { key, code, user, find }: StepSubmission<'code'>,
): Promise<Response> {
  const counted = countCode(c, server, user)
  const outcome = await server.store.write((tx) => {
    if (!find(tx)) return 'over'
    if (!useCode(tx, user.id, code)) return 'wrong'
    return letIn(tx, c, server, { key, user, find })
  })
  if (outcome === 'over') return await overPage(pageLanguage(c, server))
  if (outcome === 'wrong') {
    await counted.wrong()
    return await guard.show(c, (seal, language) =>
      codePage({ seal, language, attempt: key, problem: wrongCode }),
    )
  }
  counted.right()
  return await completeEntry(c, server, outcome)
}

/**
 * Counts a code of someone's second factor, before it is compared. The last wrong one before a
 * pause is mailed to them, because it was entered with the right password.
 *
 * @throws RATE_LIMIT_HIT
 */
export function countCode(c: HonoContext, server: SystemContext, user: User) {
  const { address, device } = loginRequest(c, server, 'password')
  const { guesses } = server.rateLimits
  const { right, isLast } = guesses.code(user.id, user.passwordHash, address)
  return {
    right,
    async wrong(): Promise<void> {
      if (!isLast) return
      const wrong = { address, device, count: codeBudget.tokens }
      await server.store.write((tx) => queueCodesMail(tx, server, user, wrong))
    },
  }
}

interface Ending extends Pick<StepSubmission<Step>, 'key' | 'user'> {
  find(
    read: Read,
  ): { readonly details: { readonly arrival: Arrival; readonly by: LoginMeans } } | undefined
}

/** Ends the attempt, and logs its user in. @throws NOT_FOUND it has ended; USER_DEACTIVATED */
function letIn(tx: Tx, c: HonoContext, server: Context, { key, user, find }: Ending) {
  const attempt = find(tx)
  const current = findUser(tx, user.id)
  if (!attempt || !current || !deleteAttempt(tx, key)) {
    throw new ApiError('NOT_FOUND', sentSentence('This log-in has expired.'))
  }
  const { arrival, by } = attempt.details
  return enter(tx, server, current, arrival, loginRequest(c, server, by))
}

async function enrol(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  { key, code, user, find }: StepSubmission<'enrolment'>,
): Promise<Response> {
  const counted = server.rateLimits.guesses.password(user.id, clientAddress(server, c))
  const browser = knownBrowser(c) ?? null
  const enrolled = await server.store.write((tx) => {
    const attempt = find(tx)
    if (!attempt) throw new ApiError('NOT_FOUND', sentSentence('This log-in has expired.'))
    const { arrival, by, secret } = attempt.details
    const codes = switchOn(tx, user, secret, code)
    if (!codes) return undefined
    const details = { step: 'enrolled', arrival, by } as const
    return { codes, attempt: insertAttempt(tx, { details, browser, userId: user.id }) }
  })
  if (!enrolled) {
    const browser = knownBrowser(c)
    return await showEnrolment(c, server, guard, { attempt: key, browser, problem: wrongCode })
  }
  counted.right()
  return await guard.show(c, (seal, language) => recoveryCodesPage({ seal, language, ...enrolled }))
}

async function goOn(
  c: HonoContext,
  server: SystemContext,
  _guard: FormGuard,
  submitted: StepSubmission<'enrolled'>,
): Promise<Response> {
  const entry = await server.store.write((tx) => letIn(tx, c, server, submitted))
  return await completeEntry(c, server, entry)
}
