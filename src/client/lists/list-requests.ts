import { type Api, CallError } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import type { termsOf } from '#client/narrow/terms.ts'
import { t, tRefusal } from '#client/ui/t.ts'
import type { Anchor } from './message-list.ts'

/** The answer of `GET /messages`. */
export interface Page {
  readonly anchor?: number
  readonly found_oldest: boolean
  readonly found_newest: boolean
  readonly messages: readonly WireMessage[]
}

/** The text and topic of a message with the matches of a search highlighted, as HTML. */
export type FoundMatch = Pick<WireMessage, 'id' | 'match_content' | 'match_subject'>

export interface PageRequest {
  readonly anchor: number | 'newest' | 'first_unread'
  readonly before: number
  readonly after: number
  /** Whether the anchor itself is wanted: not where it is known. */
  readonly withAnchor?: boolean
}

type Terms = ReturnType<typeof termsOf>

/** How many messages a list fetches when it is opened. */
const first = { before: 30, after: 50 }

/** The page that a list fetches when it is opened at an anchor. */
export function openingPage(anchor: Anchor): PageRequest {
  if (anchor.at === 'newest') return { anchor: 'newest', before: first.after, after: 0 }
  return { anchor: anchor.at === 'message' ? anchor.id : 'first_unread', ...first }
}

/** The parameters of `GET /messages` for a page of a narrow. */
export function pageParams(
  terms: Terms,
  { anchor, before, after, withAnchor = true }: PageRequest,
) {
  return {
    anchor,
    num_before: before,
    num_after: after,
    include_anchor: withAnchor,
    ...commonParams(terms),
  }
}

const commonParams = (narrow: Terms) => ({
  narrow,
  allow_empty_topic_name: true,
})

interface RequestParts {
  readonly api: Api
  readonly terms: Terms
  /** Called when a fetch starts and no other is running. */
  onStart(): void
  /** Called with the error of a fetch, in words for the user; with undefined after a success. */
  onProblem(problem: string | undefined): void
}

/** The calls of one message list. Answers to requests from before `cancel` are dropped. */
export class ListRequests {
  readonly #parts: RequestParts
  /** Answers to calls of an older generation are not wanted anymore. */
  #generation = 0
  #fetching = 0
  readonly #running = new Map<string, Promise<void>>()

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  /** Whether a page is being fetched. */
  get isFetching(): boolean {
    return this.#fetching > 0
  }

  cancel(): void {
    this.#generation += 1
    this.#running.clear()
  }

  /** Runs one of a kind at a time; while one is running, it is returned. */
  alone(kind: 'older' | 'newer', run: () => Promise<void>): Promise<void> {
    const known = this.#running.get(kind)
    if (known) return known
    const promise = run().finally(() => {
      if (this.#running.get(kind) === promise) this.#running.delete(kind)
    })
    this.#running.set(kind, promise)
    return promise
  }

  /** A page of the narrow. Undefined if it failed, or is no longer wanted. */
  async page(asked: PageRequest): Promise<Page | undefined> {
    const mine = this.#generation
    if (this.#fetching++ === 0) this.#parts.onStart()
    try {
      const { api, terms } = this.#parts
      const received = await api.get<Page>('/messages', pageParams(terms, asked))
      if (mine !== this.#generation) return undefined
      this.#parts.onProblem(undefined)
      return received
    } catch (error) {
      if (mine === this.#generation) this.#parts.onProblem(problemOf(error))
      return undefined
    } finally {
      this.#fetching -= 1
    }
  }

  /**
   * Those of some messages that are in the narrow. Undefined if it failed, or is no longer wanted:
   * the messages are missing until the list is opened again.
   */
  async messages(ids: readonly number[]): Promise<Page | undefined> {
    const { api, terms } = this.#parts
    const params = { message_ids: ids, ...commonParams(terms) }
    return await this.#wanted(api.get<Page>('/messages', params))
  }

  /** Those of some messages that are in the narrow, which only the server can tell; as above. */
  async matching(ids: readonly number[]): Promise<FoundMatch[] | undefined> {
    const { api, terms } = this.#parts
    const reply = await this.#wanted(
      api.get<{ messages: Record<string, Omit<FoundMatch, 'id'>> }>('/messages/matches_narrow', {
        msg_ids: ids,
        narrow: terms,
      }),
    )
    return reply && ids.flatMap((id) => (reply.messages[id] ? { ...reply.messages[id], id } : []))
  }

  async #wanted<T>(call: Promise<T>): Promise<T | undefined> {
    const mine = this.#generation
    const received = await call.catch(() => undefined)
    return mine === this.#generation ? received : undefined
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof CallError)) return t('The messages could not be loaded.')
  if (error.details.is_unknown === true) {
    return t('This does not exist, or you do not have access to it.')
  }
  return error.code === 'NETWORK' ? t('The messages could not be loaded.') : tRefusal(error)
}
