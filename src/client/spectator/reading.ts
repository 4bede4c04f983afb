import { batch, type ReadonlySignal, signal } from '@preact/signals-core'
import { type Api, CallError } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Message } from '#client/state/model.ts'
import { tRefusal } from '#client/ui/t.ts'
import { noUser, type OpenNarrow, openTerms } from './spectator-view.ts'

/** How many messages a fetch asks for. */
const page = 60

/** The fetched messages of a channel or topic: without a gap, ascending. */
export interface Reading {
  readonly messages: ReadonlySignal<readonly Message[]>
  readonly status: ReadonlySignal<ReadingStatus>
  /** Fetches the first ones: the newest, or those around a message. */
  open(near: number | undefined): Promise<void>
  older(): Promise<void>
  /** Including new messages: there are no events without an account. */
  newer(): Promise<void>
}

export interface ReadingStatus {
  readonly isFetching: boolean
  readonly hasOldest: boolean
  readonly hasNewest: boolean
  /** The error, in the server's words. */
  readonly problem: string | undefined
}

interface Page {
  readonly messages: readonly WireMessage[]
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

interface PageRequest {
  readonly anchor: number | 'newest'
  readonly before: number
  readonly after: number
}

export function createReading(api: Api, narrow: OpenNarrow): Reading {
  const messages = signal<readonly Message[]>([])
  const status = signal<ReadingStatus>({
    isFetching: false,
    hasOldest: false,
    hasNewest: false,
    problem: undefined,
  })
  const update = (change: Partial<ReadingStatus>) => {
    status.value = { ...status.peek(), ...change }
  }

  /** Adds the result of a fetch, one fetch at a time. */
  async function fetchPage(asked: PageRequest, take: (reply: Page, found: Message[]) => void) {
    if (status.peek().isFetching) return
    update({ isFetching: true, problem: undefined })
    try {
      const reply = await api.get<Page>('/messages', {
        narrow: openTerms(narrow),
        anchor: asked.anchor,
        include_anchor: messages.peek().length === 0,
        num_before: asked.before,
        num_after: asked.after,
        client_gravatar: false,
        allow_empty_topic_name: true,
      })
      const found = reply.messages.map((wire) => messageFromWire(wire, noUser))
      batch(() => {
        take(reply, found)
        update({ isFetching: false })
      })
    } catch (error) {
      const problem = error instanceof CallError ? tRefusal(error) : String(error)
      update({ isFetching: false, problem })
    }
  }

  return {
    messages,
    status,
    open: (near) =>
      fetchPage(
        near === undefined
          ? { anchor: 'newest', before: page, after: 0 }
          : { anchor: near, before: page / 2, after: page / 2 },
        ({ found_oldest: hasOldest, found_newest: hasNewest }, found) => {
          messages.value = found
          update({ hasOldest, hasNewest })
        },
      ),
    async older() {
      const first = messages.peek()[0]
      if (!first || status.peek().hasOldest) return
      await fetchPage({ anchor: first.id, before: page, after: 0 }, (reply, found) => {
        messages.value = [...found, ...messages.peek()]
        update({ hasOldest: reply.found_oldest })
      })
    },
    async newer() {
      const last = messages.peek().at(-1)
      const asked: PageRequest = last
        ? { anchor: last.id, before: 0, after: page }
        : { anchor: 'newest', before: page, after: 0 }
      await fetchPage(asked, (reply, found) => {
        if (found.length > 0) messages.value = [...messages.peek(), ...found]
        update({ hasNewest: reply.found_newest })
      })
    },
  }
}
