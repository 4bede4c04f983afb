import type { Context as HonoContext } from 'hono'
import { bringPath } from '#features/access/setup/pages.ts'
import { staleLinkPage } from '#features/access/setup/views.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { requireConfirmation } from '#features/foundation/sessions/confirmation.params.ts'
import { loginPath, startBrowserSession } from '#features/foundation/sessions/entering.pages.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { requireUnchanged } from '#features/foundation/users/own-password.params.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import {
  type JoiningLink,
  linksCsv,
  listAwaited,
  makeJoiningLinks,
} from '#features/organization/imports/joining-links.actions.ts'
import { addressesIn } from '#features/organization/imports/reading/csv.ts'
import type { SourceOptions } from '#features/organization/imports/source.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { RawParams } from '#platform/http/decode.ts'
import { LightReply, lightJson, lightScript, redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { billOf } from '#platform/http/rate-limit.ts'
import type { HeaderPairs } from '#platform/http/reply.ts'
import { readInput } from '#platform/http/request.ts'
import { replyTus, type TusReceiver, type TusUpload } from '#platform/http/tus.ts'
import { createFormGuard, type FormGuard, tooManyPage } from '#platform/pages/form-guard.ts'
import { pageLanguage, problemText } from '#platform/pages/page-language.ts'
import { type Sentence, sentence, type Translator } from '#translations/translate.ts'
import { Bringing } from './bringing.actions.ts'
import type { Inbox, InboxFile } from './inbox.ts'
import { isUnused } from './queries.ts'
import { script } from './script.ts'
import {
  choosingPage,
  donePage,
  foundPage,
  ownerPage,
  paths,
  progressText,
  unavailablePage,
  workingPage,
} from './views.ts'

/** In bytes: ample for the forms, with the addresses of thousands of people. */
const bodyLimit = 1024 * 1024

/**
 * An import in a browser, by anyone with the set-up link, or by an owner while nobody has written
 * yet. Steps: upload in parts, trial, identity of the owner, import, report.
 */
export function mountBringing(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  const bringing = server.data && new Bringing(server, server.data)
  const visit = { server, guard, bringing }
  app.get(bringPath, (c) => show(c, visit))
  app.get(paths.script, () => {
    return lightScript(script)
  })
  app.get(paths.state, (c) => state(c, visit))
  app.all(paths.upload, (c) => receive(c, visit))
  app.post(paths.confirm, (c) => confirm(c, visit))
  for (const name of ['look', 'start', 'stop', 'enter', 'links'] as const) {
    app.post(paths[name], (c) => act(c, visit, acts[name]))
  }
}

interface Visit {
  readonly server: SystemContext
  readonly guard: FormGuard
  /** Undefined: the server keeps nothing on disk. */
  readonly bringing: Bringing | undefined
}

/** The import, if the key opens it for the logged-in user. */
function opened(c: HonoContext, { bringing, server }: Visit, key: string): Bringing | undefined {
  const user = findRealm(server.store) ? authenticateBrowser(c, server)?.user : undefined
  return bringing?.opens(key, user) ? bringing : undefined
}

/** That of who is logged in, or of the browser while there is no organization. */
function languageOf(c: HonoContext, server: SystemContext): Translator {
  const user = findRealm(server.store) ? authenticateBrowser(c, server)?.user : undefined
  return user ? userLanguage(server.store, user) : pageLanguage(c, server)
}

async function show(c: HonoContext, visit: Visit): Promise<Response> {
  const { guard, server } = visit
  const language = languageOf(c, server)
  const key = c.req.query('token') ?? ''
  const bringing = opened(c, visit, key)
  if (!bringing) {
    if (server.data === undefined) return await unavailablePage(language)
    if (!findRealm(server.store)) return await guard.wrongLink(c, key, staleLinkPage)
    return await showOwner(c, visit)
  }
  const { owner, step } = bringing
  if (step.name === 'choosing') {
    return await choosingPage(language, key, bringing.inbox, step.problem, owner !== undefined)
  }
  if (step.name === 'found') return await foundPage(language, key, step.found, owner, step.problem)
  if (step.name === 'done')
    return await donePage(language, key, step.report, listAwaited(server.store).length)
  return await workingPage(language, key, step.name, step.progress)
}

/** The page for an owner who has not entered their password. */
async function showOwner(c: HonoContext, { guard, server }: Visit, problem?: Sentence) {
  const user = authenticateBrowser(c, server)?.user
  if (!user) return redirect(loginPath, 303)
  const { store } = server
  const facts = {
    isOwner: user.role === roles.owner,
    isUnused: isUnused(store),
    awaited: listAwaited(store).length,
    hasPassword: user.passwordHash !== null,
    problem,
  }
  return await guard.show(c, (seal) => ownerPage(userLanguage(store, user), seal, facts))
}

/** An owner enters their password, to begin or to get links. */
async function confirm(c: HonoContext, visit: Visit): Promise<Response> {
  const { bringing, guard, server } = visit
  const { params } = await readInput(c, {}, bodyLimit)
  const caller = findRealm(server.store) ? authenticateBrowser(c, server) : undefined
  if (!caller || !guard.isOwn(c, params)) return redirect(bringPath, 303)
  if (caller.user.role !== roles.owner) return await showOwner(c, visit)
  try {
    const { passwordHash } = await requireConfirmation(caller, params.get('password'), {
      server,
      charge: (tokens) => billOf(c).charge(tokens),
      guess: (account) => server.rateLimits.guesses.password(account, clientAddress(server, c)),
    })
    if (params.get('wanted') === 'links') {
      return await linksFile(server, (people) =>
        caller.store.write((tx, user) => {
          requireUnchanged(user, passwordHash)
          return user.role === roles.owner ? makeJoiningLinks(tx, server.realmUrl, people) : []
        }),
      )
    }
    const user = caller.requireCurrent(server.store)
    requireUnchanged(user, passwordHash)
    const key = user.role === roles.owner ? bringing?.admit(user) : undefined
    return redirect(key === undefined ? bringPath : `${bringPath}?token=${key}`, 303)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'RATE_LIMIT_HIT') return await tooManyPage(languageOf(c, server), error)
    return await showOwner(c, visit, error.sentence)
  }
}

type Act = (
  bringing: Bringing,
  params: RawParams,
  c: HonoContext,
  server: SystemContext,
) => Promise<Response | undefined>

/** The actions of the forms, after which the page shows the state of the import. */
const acts: Readonly<Record<'look' | 'start' | 'stop' | 'enter' | 'links', Act>> = {
  async look(bringing, params) {
    bringing.look({
      source: optionsIn(params),
      addresses: addressesIn(params.get('addresses') ?? ''),
    })
    return undefined
  },
  async start(bringing, params) {
    await bringing.start(params.get('token') ?? '', {
      organization: params.get('organization') ?? '',
      key: params.get('person') || undefined,
      fullName: params.get('full_name') ?? '',
      email: params.get('email') ?? '',
      password: params.get('password') ?? '',
    })
    return undefined
  },
  async stop(bringing) {
    bringing.stop()
    return undefined
  },
  async enter(bringing, _params, c, server) {
    return startBrowserSession(server, await bringing.enter(c.req.header('user-agent')))
  },
  async links(bringing, _params, _c, server) {
    if (bringing.step.name !== 'done') return undefined
    return await linksFile(server, (people) =>
      server.store.write((tx) => makeJoiningLinks(tx, server.realmUrl, people)),
    )
  },
}

function optionsIn(params: RawParams): SourceOptions {
  const token = params.get('source_token')?.trim() ?? ''
  const team = params.get('team')?.trim() ?? ''
  return {
    ...(token !== '' && { token }),
    ...(team !== '' && { team }),
    ...(params.get('no_threads') === 'true' && { noThreads: true }),
  }
}

async function act(c: HonoContext, visit: Visit, run: Act): Promise<Response> {
  const { guard, server } = visit
  const { params } = await readInput(c, {}, bodyLimit)
  const key = params.get('token') ?? ''
  const bringing = opened(c, visit, key)
  if (!bringing) return await guard.wrongLink(c, key, staleLinkPage)
  try {
    const response = await run(bringing, params, c, server)
    return response ?? redirect(`${bringPath}?token=${encodeURIComponent(key)}`, 303)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { owner, step } = bringing
    const language = languageOf(c, server)
    const problem = error.sentence
    if (step.name === 'found') {
      return await foundPage(language, key, step.found, owner, problem, 400)
    }
    return await choosingPage(language, key, bringing.inbox, problem, owner !== undefined, 400)
  }
}

/** How many links are made in one write. */
const linksAtOnce = 50

/** A table of links for all who have never logged in. */
async function linksFile(
  { store }: SystemContext,
  make: (people: readonly User[]) => Promise<JoiningLink[]>,
): Promise<Response> {
  const people = listAwaited(store)
  const links: JoiningLink[] = []
  for (let at = 0; at < people.length; at += linksAtOnce) {
    links.push(...(await make(people.slice(at, at + linksAtOnce))))
  }
  return new LightReply(linksCsv(links), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="links.csv"',
      'Cache-Control': 'no-store',
    },
  })
}

/** The state of the import, for the page's script. */
async function state(c: HonoContext, visit: Visit): Promise<Response> {
  const key = c.req.header('setup-token') ?? ''
  const bringing = opened(c, visit, key)
  if (!bringing) return await visit.guard.wrongLink(c, key, staleLinkPage)
  const { step } = bringing
  const isWorking = step.name === 'looking' || step.name === 'importing'
  const { done, total } = isWorking ? step.progress : { done: 0, total: 0 }
  const text = isWorking ? progressText(languageOf(c, visit.server), step.progress) : ''
  return lightJson({ step: step.name, text, done, total }, 200, { 'Cache-Control': 'no-store' })
}

/**
 * Receives the file in parts, one file at a time.
 *
 * @source https://tus.io/protocols/resumable-upload (1.0)
 */
async function receive(c: HonoContext, visit: Visit): Promise<Response> {
  const key = c.req.header('setup-token') ?? ''
  const bringing = opened(c, visit, key)
  if (!bringing) return await visit.guard.wrongLink(c, key, staleLinkPage)
  if (bringing.step.name === 'looking' || bringing.step.name === 'importing') {
    return refused(c, visit, 423, sentence('The import is already running.'), notStored)
  }
  const { inbox } = bringing
  return await replyTus(c, {
    headers: notStored,
    enter: () => receiverOf(inbox),
    failure: ({ sentence, status }, headers) => refused(c, visit, status, sentence, headers),
  })
}

const notStored: HeaderPairs = [['Cache-Control', 'no-store']]

function refused(
  c: HonoContext,
  { server }: Visit,
  status: number,
  problem: Sentence,
  headers: HeaderPairs,
): Response {
  const msg = problemText(languageOf(c, server), problem)
  const body = JSON.stringify({ result: 'error', msg, code: 'BAD_REQUEST' })
  return new LightReply(body, {
    status,
    headers: [...headers, ['Content-Type', 'application/json']],
  })
}

/** The one file that may arrive. */
function receiverOf(inbox: Inbox): TusReceiver<TusUpload> {
  const located = ({ length, name, received }: InboxFile): TusUpload => ({
    location: paths.upload,
    length,
    received,
    metadata: `filename ${Buffer.from(name).toString('base64')}`,
  })
  const current = () => {
    const file = inbox.current()
    return file && located(file)
  }
  return {
    find: current,
    begin: async (length, { fileName }) => located(await inbox.begin(fileName, length)),
    async append(_, offset, part) {
      const file = await inbox.append(offset, part)
      return file && located(file)
    },
    end: async () => inbox.remove(),
  }
}
