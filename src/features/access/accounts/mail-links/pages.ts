import type { Context as HonoContext } from 'hono'
import {
  confirmationPath,
  confirmEmailChange,
  findEmailChange,
} from '#features/access/accounts/email-change/actions.ts'
import { enterByPassword } from '#features/access/accounts/login/entering.actions.ts'
import {
  afterPassword,
  passwordRequest,
} from '#features/access/accounts/login/second-step.pages.ts'
import {
  findPasswordReset,
  requestPasswordReset,
  resetPassword,
  resetPath,
} from '#features/access/accounts/password-reset/actions.ts'
import { canSendMail } from '#features/foundation/mail/actions.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { homePath } from '#features/foundation/sessions/entering.pages.ts'
import { hashCost, hashPassword, passwordLengths } from '#features/foundation/users/passwords.ts'
import { requirePassword } from '#features/foundation/users/rules.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, notOwn } from '#platform/pages/form-guard.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { pathOf } from '#platform/pages/path.ts'
import type { Sentence, Translator } from '#translations/translate.ts'
import {
  confirmedPage,
  confirmForm,
  forgottenForm,
  mailSentPage,
  noMailPage,
  passwordForm,
  staleMailPage,
} from './views.ts'

/** In bytes; ample for the forms. */
const bodyLimit = 16 * 1024

/**
 * The pages behind links in mail, and the form that requests a password reset. They work without
 * JavaScript.
 */
export function mountAccount(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  app.get(resetPath, async (c) =>
    hasMail(server)
      ? await guard.show(c, (seal, language) =>
          forgottenForm({ seal, language, action: resetPath }),
        )
      : await noMailPage(pageLanguage(c, server)),
  )
  app.post(resetPath, async (c) =>
    hasMail(server) ? await askReset(c, server, guard) : await noMailPage(pageLanguage(c, server)),
  )
  app.get(`${resetPath}:key/`, async (c) =>
    findPasswordReset(server.store, keyOf(c))
      ? await guard.show(c, (seal, language) => passwordForm({ seal, language, action: pathOf(c) }))
      : await guard.wrongLink(c, keyOf(c), staleMailPage),
  )
  app.post(`${resetPath}:key/`, async (c) => await reset(c, server, guard))
  app.get(`${confirmationPath}:key/`, async (c) => {
    const change = findEmailChange(server.store, keyOf(c))
    if (!change) return await guard.wrongLink(c, keyOf(c), staleMailPage)
    return await guard.show(c, (seal, language) =>
      confirmForm({ seal, language, action: pathOf(c) }, change.email),
    )
  })
  app.post(`${confirmationPath}:key/`, async (c) => await confirm(c, server, guard))
}

const keyOf = (c: HonoContext) => c.req.param('key') ?? ''

function hasMail({ config, store }: SystemContext): boolean {
  return canSendMail(config) && findRealm(store) !== undefined
}

/** Neither the reply nor its time reveals whether the address has an account. */
async function askReset(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  if (!guard.isOwn(c, params)) {
    return await guard.show(c, (seal, language) =>
      forgottenForm({ seal, language, action: resetPath, problem: notOwn }),
    )
  }
  const refusal = await guard.tooMany(c)
  if (refusal) return refusal
  const email = (params.get('email') ?? '').trim()
  await server.store.write((tx) => requestPasswordReset(tx, email))
  return await mailSentPage(pageLanguage(c, server))
}

async function reset(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  if (!findPasswordReset(server.store, keyOf(c))) {
    return await guard.wrongLink(c, keyOf(c), staleMailPage)
  }
  const again = (problem: Sentence) =>
    guard.show(c, (seal, language) => passwordForm({ seal, language, action: pathOf(c), problem }))
  if (!guard.isOwn(c, params)) return await again(notOwn)
  const refusal = await guard.tooMany(c)
  if (refusal) return refusal
  const password = params.get('password') ?? ''
  try {
    requirePassword(password, passwordLengths(server.config))
    const passwordHash = await hashPassword(password, hashCost(server.config))
    const request = passwordRequest(c, server)
    const outcome = await server.store.write((tx) => {
      const user = resetPassword(tx, server.queues, keyOf(c), passwordHash)
      return enterByPassword(tx, server, user, { next: homePath }, request)
    })
    return await afterPassword(c, server, guard, outcome, request)
  } catch (error) {
    return await explain(pageLanguage(c, server), error, again)
  }
}

async function confirm(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const change = findEmailChange(server.store, keyOf(c))
  if (!change) return await guard.wrongLink(c, keyOf(c), staleMailPage)
  const again = (problem: Sentence) =>
    guard.show(c, (seal, language) =>
      confirmForm({ seal, language, action: pathOf(c), problem }, change.email),
    )
  if (!guard.isOwn(c, params)) return await again(notOwn)
  try {
    await server.store.write((tx) => confirmEmailChange(tx, keyOf(c)))
    return await confirmedPage(pageLanguage(c, server), change.email)
  } catch (error) {
    return await explain(pageLanguage(c, server), error, again)
  }
}

async function explain(
  language: Translator,
  error: unknown,
  again: (problem: Sentence) => Promise<Response>,
): Promise<Response> {
  if (!(error instanceof ApiError)) throw error
  return error.code === 'NOT_FOUND' ? await staleMailPage(language) : await again(error.sentence)
}
