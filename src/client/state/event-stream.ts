import type { Api } from '#client/api/api.ts'
import type { FeatureEvent } from '#client/api/wire.ts'
import type { Clock } from './clock.ts'
import type { FollowQueue, QueuePosition } from './store.ts'

interface EventStreamOptions {
  readonly api: Api
  readonly clock: Clock
  /** Asks for a stream. */
  open(
    params: { readonly queue_id: string; readonly last_event_id: number },
    signal: AbortSignal,
  ): Promise<Response>
  /** How long a stream may be silent, in seconds: the server sends signs of life more often. */
  silenceSeconds(): number
}

/** How long the first sign of a stream may take, in milliseconds. */
const firstSignMs = 8000
/** A useful stream lasts this long, in milliseconds, or brings something. */
const usefulMs = 5000
/** The most useless streams in a row. */
const mostUseless = 3
/** How long to poll if streams do not get through, in milliseconds. */
const pollingMs = 600_000
/** How long events may wait to be acknowledged, in milliseconds. */
const acknowledgeMs = 30_000
/** How much of them, in characters: far less than the server waits for. */
const acknowledgeLength = 200_000

/**
 * Follows a queue by streams as long as they get through: some proxies hold them back. Errors of a
 * stream are left to the poll that follows it.
 *
 * @source WHATWG HTML, "Server-sent events"
 */
export function createEventStream(options: EventStreamOptions): FollowQueue {
  const { clock } = options
  let useless = 0
  let pollUntil = 0

  return async (after, take, signal) => {
    if (clock.now() < pollUntil) return false
    const attempt = new Attempt(options, after, take)
    const outcome = await attempt.run(signal)
    if (signal.aborted || outcome === 'left') return true
    if (outcome === 'useful') {
      useless = 0
      return !attempt.isBroken
    }
    useless += 1
    if (outcome === 'silent' || useless >= mostUseless) {
      useless = 0
      pollUntil = clock.now() + pollingMs
    }
    return false
  }
}

class Attempt {
  /** Whether it ended irregularly. */
  isBroken = false
  readonly #options: EventStreamOptions
  readonly #queueId: string
  readonly #take: (events: readonly FeatureEvent[]) => boolean
  readonly #startedAt: number
  #lastEventId: number
  #hasEvents = false
  /** What came since the last acknowledgement, in characters. */
  #unacknowledged = 0
  #isSilent = false
  #isLeft = false
  #cancelSilence: (() => void) | undefined
  #cancelAcknowledgement: (() => void) | undefined

  constructor(
    options: EventStreamOptions,
    { queueId, lastEventId }: Pick<QueuePosition, 'queueId' | 'lastEventId'>,
    take: (events: readonly FeatureEvent[]) => boolean,
  ) {
    this.#options = options
    this.#queueId = queueId
    this.#lastEventId = lastEventId
    this.#take = take
    this.#startedAt = options.clock.now()
  }

  /** @throws what `take` throws */
  async run(signal: AbortSignal): Promise<'useful' | 'useless' | 'silent' | 'left'> {
    const ending = new AbortController()
    const end = () => ending.abort()
    signal.addEventListener('abort', end)
    this.#expect(firstSignMs, end)
    try {
      await this.#read(ending, end)
    } finally {
      signal.removeEventListener('abort', end)
      this.#cancelSilence?.()
      this.#cancelAcknowledgement?.()
      end()
    }
    if (this.#isLeft) return 'left'
    if (this.#isSilent) return 'silent'
    const isLong = this.#options.clock.now() - this.#startedAt >= usefulMs
    return this.#hasEvents || isLong ? 'useful' : 'useless'
  }

  async #read(ending: AbortController, end: () => void): Promise<void> {
    const params = { queue_id: this.#queueId, last_event_id: this.#lastEventId }
    const reader = await this.#options.open(params, ending.signal).then(
      ({ ok, body }) => (ok ? body?.getReader() : undefined),
      () => undefined,
    )
    const decoder = new TextDecoder()
    let text = ''
    this.isBroken = reader === undefined
    while (reader && !this.isBroken && !this.#isLeft) {
      const part = await reader.read().catch(() => undefined)
      this.isBroken = part === undefined
      if (!part || part.done) return
      this.#expect(this.#options.silenceSeconds() * 1000, end)
      const records = (text + decoder.decode(part.value, { stream: true })).split('\n\n')
      text = records.pop() ?? ''
      for (const record of records) this.#takeRecord(record)
    }
  }

  #takeRecord(record: string): void {
    // A comment, or the refusal: the poll that follows gets the same answer.
    if (record.startsWith('event:')) this.isBroken = true
    const data = /^data: (.*)$/m.exec(record)?.[1]
    if (data === undefined || this.isBroken || this.#isLeft) return
    const events: readonly FeatureEvent[] = JSON.parse(data)
    if (!this.#take(events)) {
      this.#isLeft = true
      return
    }
    this.#hasEvents = true
    this.#lastEventId = events.at(-1)?.id ?? this.#lastEventId
    this.#unacknowledged += data.length
    if (this.#unacknowledged > acknowledgeLength) {
      this.#cancelAcknowledgement?.()
      this.#cancelAcknowledgement = undefined
      void this.#acknowledge()
      return
    }
    this.#cancelAcknowledgement ??= this.#options.clock.after(acknowledgeMs, () => {
      this.#cancelAcknowledgement = undefined
      void this.#acknowledge()
    })
  }

  async #acknowledge(): Promise<void> {
    this.#unacknowledged = 0
    const params = { queue_id: this.#queueId, last_event_id: this.#lastEventId }
    // Otherwise the server ends the stream after a while, and the next one acknowledges.
    await this.#options.api.post('/events/acknowledge', params).catch(() => {})
  }

  #expect(ms: number, end: () => void): void {
    this.#cancelSilence?.()
    this.#cancelSilence = this.#options.clock.after(ms, () => {
      this.#isSilent = true
      end()
    })
  }
}
