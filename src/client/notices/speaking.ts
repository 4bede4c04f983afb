import type { Conversation } from '#client/state/model.ts'

/*
 * All pages of one person get every message, and one of them tells. A page that wants to asks the others.
 * A page that shows the conversation says no, and so does one that has told already. If two ask at the
 * same time, the one with the lower number tells. Nobody has to answer, so a page that the browser has put
 * to sleep holds nobody up.
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
  const told = new Set<string>()
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
    if (!channel) return await holds(`${name}:${claim}`)
    asked.set(claim, true)
    say({ kind: 'ask', telling, rank })
    await new Promise((resolve) => setTimeout(resolve, patience))
    const isChosen = asked.get(claim) === true && !refuses(telling)
    asked.delete(claim)
    if (!isChosen) return false
    told.add(claim)
    const [oldest] = told
    if (told.size > most && oldest !== undefined) told.delete(oldest)
    return true
  }

  function close(): void {
    isClosed = true
    channel?.close()
  }

  return { mayTell, close }
}

/** In a browser without channels: whether no other page has the lock, which is kept for a while. */
function holds(lockName: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { locks } = navigator
    if (!locks) return resolve(true)
    const request = locks.request(lockName, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock && new Promise((release) => setTimeout(release, 60_000))
    })
    request.catch(() => resolve(true))
  })
}
