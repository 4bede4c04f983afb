import { signal } from '@preact/signals'
import { render } from 'preact'
import { type Api, CallError } from '#client/api/api.ts'
import { createApi, forgetAhead } from '#client/api/fetch-api.ts'
import type { RegisterReply } from '#client/api/wire.ts'
import type { App, Pane } from '#client/app.ts'
import { AppContext } from '#client/app-context.ts'
import { claimKept, setHint } from '#client/commands/kept-database.ts'
import { hideLastScreen } from '#client/commands/last-screen.ts'
import {
  followUser,
  keepOwnStorage,
  leaveEndedSession,
  logOut,
  reloadForToken,
} from '#client/commands/leaving.ts'
import { sharedCache } from '#client/commands/shared-cache.ts'
import { hasSurface } from '#client/commands/surfaces.tsx'
import { createCompose } from '#client/compose/create-compose.ts'
import { createDrafts } from '#client/compose/drafts.ts'
import { createEdits } from '#client/compose/edits.ts'
import { focusBoxOnceDrawn } from '#client/compose/focus.ts'
import { createOutbox } from '#client/compose/outbox-state.ts'
import { createUploads } from '#client/compose/uploads.ts'
import { holdWindow, ownWindow, takeOverWindow } from '#client/compose/windows.ts'
import { createListCache, type ListCache } from '#client/lists/list-cache.ts'
import { createRouter } from '#client/router.ts'
import { LeftSideBar } from '#client/shell/parts.ts'
import { Shell } from '#client/shell/shell.tsx'
import { restoreStore } from '#client/state/kept.ts'
import { type MachineOptions, resumeMachine, startMachine } from '#client/state/machine.ts'
import { createMarking } from '#client/state/marking.ts'
import { createChanges } from '#client/state/optimistic.ts'
import type { Store, UpdateMachine } from '#client/state/store.ts'
import { localValues } from '#client/ui/browser-storage.ts'
import { startLoaded } from '#client/ui/start-loaded.ts'
import { t, tRefusal } from '#client/ui/t.ts'
import { trackTimes } from '#client/ui/times.ts'
import { createToasts, type Toasts } from '#client/ui/toast.tsx'
import { loadTypeface } from '#client/ui/typeface.ts'
import { followAppearance } from '#client/views/appearance.ts'
import { openAhead } from '#client/views/opening.ts'
import { type Activity, followActivity } from './activity.ts'
import type { KeepingParts } from './keeping.ts'
import { type StoredStart, takeKept } from './kept.ts'
import { followVersion } from './newer-version.ts'
import { FailureScreen, LoadingScreen } from './screens.tsx'

/** How long to wait for the queue of the page before, in milliseconds: another tab may have it. */
const patience = 500
/**
 * How long the screen waits for the first messages and its typeface, in milliseconds: a slow machine
 * would draw it when they arrive, and once more with them.
 */
const drawPatience = 300
/** When a start takes so long that the user is told, in milliseconds. */
const tellDelay = 300
/** When to begin to store data for the next start, in milliseconds. */
const keepingDelay = 500

/** Registers, wires all parts together and draws them. Otherwise draws the error. */
export async function boot(root: HTMLElement): Promise<void> {
  const draw = (screen: Parameters<typeof render>[0]) => {
    clearTimeout(telling)
    render(screen, root)
  }
  const drawAlone = (screen: Parameters<typeof render>[0]) => {
    hideLastScreen()
    draw(screen)
  }
  let running: Running | undefined

  function refused(code: string): void {
    // Logging out ends the polls as well.
    if (running?.isLeaving()) return
    if (code === 'UNAUTHORIZED' || code === 'USER_DEACTIVATED') void leaveEndedSession()
    else if (code === 'CSRF_FAILED') reloadForToken()
    else if (code === 'REALM_DEACTIVATED') {
      running?.stop()
      drawAlone(<FailureScreen problem={t('This organization is deactivated.')} retry={reload} />)
    }
  }

  const telling = setTimeout(() => draw(<LoadingScreen />), root.firstChild ? 0 : tellDelay)
  try {
    running = await start(createApi(refused), (problem) =>
      drawAlone(<LoadingScreen problem={problem} />),
    )
    await running.opened
    draw(running.screen)
    lookForShared(running.app).catch(() => {})
  } catch (error) {
    // The page is about to go to the log-in page.
    if (error instanceof CallError && error.status === 401) return
    const problem = error instanceof CallError ? tRefusal(error) : String(error)
    drawAlone(<FailureScreen problem={problem} retry={() => void boot(root)} />)
  }
}

const reload = () => location.reload()

/** Takes data that another app has shared. */
async function lookForShared(app: App): Promise<void> {
  const isLost = location.hash === '#share-lost'
  if (!isLost && !('caches' in globalThis && (await caches.has(sharedCache)))) return
  const module = await import('#client/search/take-shared.tsx')
  if (isLost) module.tellLost(app)
  else await module.takeShared(app)
}

interface Running {
  readonly app: App
  readonly screen: preact.JSX.Element
  /** Resolves when the screen is to be drawn. */
  readonly opened: Promise<unknown>
  /** Whether the user is logging out. */
  isLeaving(): boolean
  stop(): void
}

async function start(calls: Api, tell: (problem: string) => void): Promise<Running> {
  let machine: UpdateMachine | undefined
  let activity: Activity | undefined
  const api = forOneUser(calls, () => machine?.store.selfId, startOver)
  const kept = await takeKept()
  const isOurs = kept ? claimKept(AbortSignal.timeout(patience)) : Promise.resolve(false)
  const options: MachineOptions = {
    isActive: () => activity?.isActive() ?? true,
    isOnline: () => navigator.onLine,
    onReload: () => void followVersion(() => isBusy(app)),
    onProblem: () => tell(t('The server cannot be reached. Retrying…')),
  }
  const resumed = kept && restore(kept)
  machine = await openMachine(api, resumed && { ...resumed, isOurs }, options)
  const { store } = machine
  keepOwnStorage(store.selfId)

  const toasts = createToasts()
  holdWindow()
  const writing = createWriting(api, machine, toasts)
  const { outbox, drafts, edits } = writing
  const marking = createMarking(api, store)
  activity = followActivity(() => {
    machine.wake()
    // Messages that were read without a network are reported immediately.
    void marking.flush()
  })
  const router = createRouter(store)
  const lists = createListCache({ store, api }, resumed?.lists)
  // The lists also get what came since.
  store.apply(resumed?.events ?? [])
  const changes = createChanges(api, store)
  const leaving = new Leaving(() => drafts.flush(), store)
  const parts = { api, store, machine, router, ...writing, changes, marking }
  const app = createApp(parts, lists, toasts, leaving)

  const messages = openAhead(app)
  forgetAhead()

  function leave(): void {
    void drafts.flush()
    void marking.flush()
  }

  /** The session is another user's now: nothing may be saved as theirs. */
  function startOver(): void {
    removeEventListener('pagehide', leave)
    // Else the page could begin with the same store again, and come here again.
    setHint(undefined)
    reload()
  }

  const isSettled = () => changes.isSettled() && marking.isSettled()
  const stopKeeping = startLater({ app, lists, isSettled, isOurs })
  const stopAppearance = followAppearance(store)
  trackTimes()
  const stopNotices = startNotices(app)
  const stopDays = startDays(store)
  const stopFollowing = followUser(store.selfId, startOver)
  addEventListener('pagehide', leave)
  const stopWatching = watchWindow(writing)
  return {
    app,
    screen: screenOf(app, toasts),
    opened: whenOpened(messages),
    isLeaving: () => leaving.isLeaving,
    stop() {
      removeEventListener('pagehide', leave)
      stopWatching()
      stopAppearance()
      stopNotices()
      stopDays()
      stopKeeping()
      stopFollowing()
      for (const part of [machine, activity, drafts, edits, outbox, marking, router]) part.stop()
      lists.close()
    },
  }
}

type AppParts = Omit<App, 'openList' | 'selectedId' | 'pane' | 'notify' | 'logOut'>

function createApp(parts: AppParts, lists: ListCache, toasts: Toasts, leaving: Leaving): App {
  return {
    ...parts,
    openList: lists.open,
    selectedId: signal<number | undefined>(undefined),
    pane: signal<Pane | undefined>(undefined),
    notify: toasts.show,
    logOut: () => leaving.logOut(),
  }
}

function screenOf(app: App, toasts: Toasts) {
  return (
    <AppContext value={app}>
      <Shell toasts={toasts} />
    </AppContext>
  )
}

/** Logs the user out. */
class Leaving {
  readonly #flush: () => Promise<void>
  readonly #store: Store
  #isLeaving = false

  constructor(flush: () => Promise<void>, store: Store) {
    this.#flush = flush
    this.#store = store
  }

  get isLeaving(): boolean {
    return this.#isLeaving
  }

  async logOut(): Promise<void> {
    this.#isLeaving = true
    try {
      await logOut(this.#flush, (name) => isOnlyHere(this.#store, name))
    } catch (error) {
      this.#isLeaving = false
      throw error
    }
  }
}

type Writing = ReturnType<typeof createWriting>

/** Follows what other windows store, and asks before the page is left. Returns what ends that. */
function watchWindow({ drafts, edits, outbox, uploads }: Writing): () => void {
  function stored(): void {
    for (const kept of [drafts, edits, outbox]) kept.refresh()
  }

  /** A file that is still being sent would be lost: the browser asks before it leaves the page. */
  function warn(event: BeforeUnloadEvent): void {
    if (uploads.all.peek().length > 0) event.preventDefault()
  }

  addEventListener('beforeunload', warn)
  addEventListener('storage', stored)
  return () => {
    removeEventListener('beforeunload', warn)
    removeEventListener('storage', stored)
  }
}

/** Continues from the stored data, or asks the server for all of it. */
async function openMachine(
  api: Api,
  resumed: Parameters<typeof resumeMachine>[1] | undefined,
  options: MachineOptions,
): Promise<UpdateMachine> {
  if (!resumed) {
    // The picture is of data that is not there.
    hideLastScreen()
    // Small enough to load while the server is asked for the rest.
    LeftSideBar.preload()
  }
  return resumed ? resumeMachine(api, resumed, options) : await startMachine(api, options)
}

/** All that holds texts until the server has them. */
function createWriting(api: Api, machine: UpdateMachine, toasts: Toasts) {
  const { store } = machine
  const outbox = createOutbox({
    api,
    machine,
    storage: localValues,
    writer: ownWindow,
    takeOver: takeOverWindow,
    onSettled: (localId, outcome) => drafts.settle(localId, outcome),
    unknownOutcome: t('It is not known whether this message was sent.'),
  })
  const isOutgoing = (id: string) => outbox.messages.peek().some(({ localId }) => localId === id)
  const drafts = createDrafts({ api, store, storage: localValues, isOutgoing })
  const edits = createEdits({
    store,
    storage: localValues,
    onLost: (conversation, text) => void drafts.write(undefined, conversation, text),
  })
  const compose = createCompose(store, drafts, focusBoxOnceDrawn)
  const uploads = createUploads({
    store,
    send: async (file, options) =>
      await (await import('#client/compose/upload.ts')).sendFile(file, options),
    replace: (part, by) => [compose, drafts, edits].some((place) => place.replacePart(part, by)),
    notify: toasts.show,
  })
  return { outbox, drafts, edits, compose, uploads }
}

/** Whether the user would lose something if the page were loaded again. */
function isBusy({ outbox, uploads }: App): boolean {
  const { activeElement } = document
  const isField = activeElement?.matches('input, textarea, [contenteditable]') ?? false
  const isSending = outbox.messages.peek().length > 0 || uploads.all.peek().length > 0
  return isField || hasSurface() || isSending
}

/** Unsaved text outlasts the session. */
function isOnlyHere(store: Store, name: string): boolean {
  if (name.startsWith('parley:outbox:') || name.startsWith('parley:edits:')) return true
  return name.startsWith('parley:drafts:') && !store.settings.peek().enable_drafts_synchronization
}

/** Resolves when the screen is to be drawn. */
function whenOpened(messages: Promise<unknown>): Promise<unknown> {
  return Promise.race([
    Promise.all([messages, loadTypeface()]),
    new Promise((resolve) => setTimeout(resolve, drawPatience)),
  ])
}

/** Shows counts in the title and on the icon, and reports new messages, after what is seen. */
function startNotices(app: App): () => void {
  return startLoaded(async () => {
    const { watchMessages } = await import('#client/notices/watch.ts')
    return () => watchMessages(app)
  })
}

/** Keeps what the page says of days and times true. */
function startDays({ settings }: Store): () => void {
  return startLoaded(async () => {
    const { followDays } = await import('./follow-days.ts')
    return () => followDays(() => settings.value)
  })
}

/** Starts what serves the next start, and streams. Returns a function that ends the former. */
function startLater(options: KeepingParts): () => void {
  // Without it, polls go on.
  startLoaded(async () => {
    const { useStreams } = await import('./streams.ts')
    return () => {
      useStreams(options.app)
      return () => {}
    }
  })
  return startLoaded(async () => {
    // After everything visible: it is for the next start.
    await new Promise((resolve) => setTimeout(resolve, keepingDelay))
    const { startKeeping } = await import('./keeping.ts')
    return () => startKeeping(options)
  })
}

/** The stored data of the last page, to continue from; undefined: it cannot be used. */
function restore({ parts, position, events }: StoredStart) {
  try {
    return { store: restoreStore(parts), lists: parts.lists, position, events }
  } catch {
    return undefined
  }
}

/**
 * The API for the user of this page. If another user logs in in this browser, the next registration
 * is theirs: then nothing of this page may continue.
 *
 * @param startOver opens the page for the other user
 */
function forOneUser(api: Api, selfId: () => number | undefined, startOver: () => void): Api {
  return {
    ...api,
    async post<T>(...call: Parameters<Api['post']>): Promise<T> {
      const reply = await api.post<T>(...call)
      const [path] = call
      const userId = path === '/register' ? (reply as RegisterReply).user_id : undefined
      const known = selfId()
      if (userId === undefined || known === undefined || userId === known) return reply
      startOver()
      return await new Promise<never>(() => {})
    },
  }
}
