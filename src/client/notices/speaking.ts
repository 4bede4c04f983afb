import type { Conversation } from '#client/state/model.ts'

/*
 * All pages of one person get every message, and one of them tells. A page that wants to asks the others.
 * A page that shows the conversation says no, and so does one that has told already. If two ask at the
 * same time, the one with the lower number tells. The page that has the focus, which alone shows anything
 * to someone, answers in any case, and is waited for: it is busy just when it draws what has come. Nobody
 * else has to answer, so a page that the browser has put to sleep holds nobody up; that one answers too
 * late makes nothing be told twice, because the page that tells takes the browser's lock for it first.
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
  | Reply
  /** A page has got the focus or lost it, or would like to know which one has it. */
  | { readonly kind: 'here' | 'away' | 'who'; readonly rank: number }

interface Reply {
  readonly kind: 'no' | 'yes'
  readonly claim: string
  readonly to: number
}

/** How long answers may take, in milliseconds. */
const patience = 150
/** How long that of the page with the focus may take: then it has crashed. */
const longest = 5000
/** How many of the last claims are known. */
const most = 200

export interface Speaking {
  /** Whether this page is the one that tells. */
  mayTell(telling: Telling): Promise<boolean>
  /** To be called when this page gets the focus or loses it. */
  noteFocus(hasFocus: boolean): void
  close(): void
}

/**
 * @param name of what the pages of one person share
 * @param refuses whether nobody should tell, as far as this page knows
 */
export function openSpeaking(name: string, refuses: (telling: Telling) => boolean): Speaking {
  const rank = Math.random()
  /** What this page asks about. */
  const asked = new Map<string, Asking>()
  const told = createTold()
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
  /** The page with the focus. */
  let here: number | undefined
  let isClosed = false
  const say = (word: Word) => channel?.postMessage(word)

  channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'ask') replyTo(data.telling, data.rank)
    else if (data.kind === 'no' || data.kind === 'yes') hear(data)
    else if (data.kind === 'here') here = data.rank
    else if (data.kind === 'away') here = here === data.rank ? undefined : here
    else if (here === rank) say({ kind: 'here', rank })
  })
  say({ kind: 'who', rank })

  function hear({ kind, claim, to }: Reply): void {
    const asking = to === rank ? asked.get(claim) : undefined
    if (!asking) return
    if (kind === 'no') asking.isOurs = false
    asking.end()
  }

  function replyTo(telling: Telling, to: number): void {
    const { claim } = telling
    const own = asked.get(claim)
    const isOurs = own?.isOurs === true && rank < to
    const refuse = () => say({ kind: 'no', claim, to })
    if (told.has(claim) || isOurs || refuses(telling)) {
      refuse()
      return
    }
    if (own) own.isOurs = false
    // What came just now may still be being drawn.
    setTimeout(() => {
      if (isClosed) return
      if (refuses(telling)) refuse()
      else if (here === rank) say({ kind: 'yes', claim, to })
    }, patience / 2)
  }

  async function mayTell(telling: Telling): Promise<boolean> {
    const { claim } = telling
    if (told.has(claim) || asked.has(claim) || refuses(telling)) return false
    const { asking, replied } = startAsking()
    asked.set(claim, asking)
    say({ kind: 'ask', telling, rank })
    await new Promise((resolve) => setTimeout(resolve, channel ? patience : 0))
    if (here !== undefined && here !== rank && !(await replied())) here = undefined
    const isChosen = asking.isOurs && !refuses(telling)
    const release = isChosen ? await lockOf(`${name}:${claim}`) : undefined
    asked.delete(claim)
    if (!release) return false
    if (isClosed) release()
    told.add(claim, release)
    return true
  }

  function noteFocus(hasFocus: boolean): void {
    if (hasFocus === (here === rank)) return
    here = hasFocus ? rank : undefined
    say({ kind: hasFocus ? 'here' : 'away', rank })
  }

  function close(): void {
    noteFocus(false)
    isClosed = true
    channel?.close()
    told.clear()
  }

  return { mayTell, noteFocus, close }
}

/** The last claims that a page has told, with the ends of their locks. */
function createTold() {
  const locked = new Map<string, () => void>()
  const forget = ([claim, release]: [string, () => void]) => {
    locked.delete(claim)
    release()
  }
  return {
    has: (claim: string) => locked.has(claim),
    add(claim: string, release: () => void): void {
      locked.set(claim, release)
      const [oldest] = locked
      if (locked.size > most && oldest) forget(oldest)
    },
    clear(): void {
      for (const each of [...locked]) forget(each)
    },
  }
}

/** What a page knows of a question of its own. */
interface Asking {
  /** Whether it still may tell. */
  isOurs: boolean
  /** Ends the wait for an answer. */
  end(): void
}

/** The reply may come before it is waited for. `replied` says whether one came at all. */
function startAsking(): { asking: Asking; replied: () => Promise<boolean> } {
  let end = () => {}
  const reply = new Promise<boolean>((resolve) => {
    end = () => resolve(true)
  })
  const replied = async () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const never = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, longest - patience, false)
    })
    const hasReply = await Promise.race([reply, never])
    clearTimeout(timer)
    return hasReply
  }
  return { asking: { isOurs: true, end }, replied }
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
