import { assertConforms } from './conformance.ts'
import type { Client } from './server.ts'

/** A record of a stream of events. */
export interface EventRecord {
  readonly id: number
  /** Each with its `id`. */
  readonly events: readonly StreamedEvent[]
}

export interface StreamedEvent {
  readonly id: number
  readonly type: string
  readonly [member: string]: unknown
}

export interface EventStream {
  readonly response: Response
  /** The next record; undefined once the stream has ended. */
  next(): Promise<EventRecord | undefined>
  /** Resolves with the number of comments so far, once there are so many. */
  signs(count: number): Promise<number>
  /** The records until the stream ends. */
  rest(): Promise<EventRecord[]>
  /** The error that it ended with, if any. */
  readonly refusal: Readonly<Record<string, unknown>> | undefined
  /** Breaks the connection off. */
  leave(): void
}

/**
 * Opens a stream of a queue over HTTP, and fails where an event is not as the API description says.
 *
 * @param headers instead of the API key
 */
export async function openStream(
  url: string,
  { email, apiKey }: Pick<Client, 'email' | 'apiKey'>,
  params: Readonly<Record<string, string | number>>,
  {
    headers = {},
    prefix = '/api/v1',
    ask = fetch,
  }: {
    readonly headers?: Readonly<Record<string, string>>
    readonly prefix?: string
    readonly ask?: (request: Request) => Promise<Response>
  } = {},
): Promise<EventStream> {
  const leaving = new AbortController()
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]) => [name, String(value)]),
  )
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
  const request = new Request(`${url}${prefix}/events/stream?${query}`, {
    headers: { ...(prefix === '/api/v1' && { authorization }), ...headers },
    signal: leaving.signal,
  })
  const response = await ask(request)
  return readStream(response, () => leaving.abort())
}

function readStream(response: Response, leave: () => void): EventStream {
  const records: EventRecord[] = []
  let signs = 0
  let refusal: Record<string, unknown> | undefined
  let isOver = false
  let wake = () => {}

  function take(block: string): void {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? [])
    const value = (name: string) => fields.find(([, field]) => field === name)?.[2]
    const data = value('data')
    if (data === undefined) {
      if (block.startsWith(':')) signs += 1
    } else if (value('event') === 'refusal') {
      refusal = JSON.parse(data)
    } else {
      const events: StreamedEvent[] = JSON.parse(data)
      assertConforms('GET', '/events', 200, { result: 'success', msg: '', events, queue_id: '' })
      records.push({ id: Number(value('id')), events })
    }
  }

  async function read(): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          take(text.slice(0, end))
          text = text.slice(end + 2)
        }
        wake()
      }
    } catch {
      // It was broken off.
    }
    isOver = true
    wake()
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds() && !isOver) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  if (response.headers.get('content-type') === 'text/event-stream') void read()
  else isOver = true
  return {
    response,
    async next() {
      await until(() => records.length > 0)
      return records.shift()
    },
    async signs(count) {
      await until(() => signs >= count)
      return signs
    },
    async rest() {
      await until(() => false)
      return records.splice(0)
    },
    get refusal() {
      return refusal
    },
    leave,
  }
}
