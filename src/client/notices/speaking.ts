import type { Conversation } from '#client/state/model.ts'

/*
 * All pages of one person get every message, and one of them tells. A page that wants to asks the others.
 * A page that shows the conversation says no, and so does one that has told already. If two ask at the
 * same time, the one with the lower number tells. Nobody has to answer, so a page that the browser has put
 * to sleep holds nobody up; that a busy one answers too late makes nothing be told twice, because the page
 * that tells takes the browser's lock for it first.
 */

/** What a page asks the others about. */
export interface Telling {
  /** The same in all pages for what should be told once. */
  readonly claim: string
  readonly messageId: number
  readonly conversation: Conversation
}

type Word =
  | { readonly kind: 'ask'; readonly telling: Telling; readonly rank: number }
  | { readonly kind: 'no'; readonly claim: string; readonly to: number }

/** How long answers may take, in milliseconds. */
const patience = 150
/** How many of the last claims are known. */
const most = 200

export interface Speaking {
  /** Whether this page is the one that tells. */
  mayTell(telling: Telling): Promise<boolean>
  close(): void
}

/**
 * @param name of what the pages of one person share
 * @param refuses whether nobody should tell, as far as this page knows
 */
export function openSpeaking(name: string, refuses: (telling: Telling) => boolean): Speaking {
  const rank = Math.random()
  /** What this page asks about, and whether it still may tell. */
  const asked = new Map<string, boolean>()
  /** What this page has told, with the end of its lock. */
  const told = new Map<string, () => void>()
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
  let isClosed = false
  const say = (word: Word) => channel?.postMessage(word)

  channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'no') {
      if (data.to === rank && asked.has(data.claim)) asked.set(data.claim, false)
      return
    }
    const { claim } = data.telling
    const isOurs = asked.get(claim) === true && rank < data.rank
    const refuse = () => say({ kind: 'no', claim, to: data.rank })
    if (told.has(claim) || isOurs || refuses(data.telling)) return refuse()
    if (asked.has(claim)) asked.set(claim, false)
    // What came just now may still be being drawn.
    setTimeout(() => {
      if (!isClosed && refuses(data.telling)) refuse()
    }, patience / 2)
  })

  async function mayTell(telling: Telling): Promise<boolean> {
    const { claim } = telling
    if (told.has(claim) || asked.has(claim) || refuses(telling)) return false
    asked.set(claim, true)
    say({ kind: 'ask', telling, rank })
    await new Promise((resolve) => setTimeout(resolve, channel ? patience : 0))
    const isChosen = asked.get(claim) === true && !refuses(telling)
    const release = isChosen ? await lockOf(`${name}:${claim}`) : undefined
    asked.delete(claim)
    if (!release) return false
    if (isClosed) release()
    told.set(claim, release)
    const [oldest] = told
    if (told.size > most && oldest) forget(...oldest)
    return true
  }

  function forget(claim: string, release: () => void): void {
    told.delete(claim)
    release()
  }

  function close(): void {
    isClosed = true
    channel?.close()
    for (const each of [...told]) forget(...each)
  }

  return { mayTell, close }
}

/**
 * Takes a lock of the browser, which all its pages share. Undefined if another page has it; a browser
 * without locks, as it is for plain HTTP, gives one to each.
 *
 * @returns what ends it
 */
function lockOf(lockName: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const withoutLock = () => resolve(() => undefined)
    const { locks } = navigator
    if (!locks) return withoutLock()
    const request = locks.request(lockName, { ifAvailable: true }, (lock) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined),
    )
    request.catch(withoutLock)
  })
}
