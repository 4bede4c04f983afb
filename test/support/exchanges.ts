import { onFailure } from './diagnosis.ts'

/** A call of a test and what it was answered. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly sent: URLSearchParams
  readonly status: number
  readonly answer: unknown
}

/** How many of the last calls are told, and how many characters of each. */
const most = 6
const longest = 600

const last: Exchange[] = []

/** Keeps the last calls of this process, which a failed test tells of, but no long value of theirs. */
export function noteExchange(exchange: Exchange): void {
  const sent = new URLSearchParams()
  for (const [name, value] of exchange.sent) sent.append(name, short(value))
  if (last.push({ ...exchange, sent }) > most) last.shift()
}

/** A copy of the beginning: a part of a string would keep all of it in memory. */
function short(text: string): string {
  return text.length > longest ? `${Buffer.from(text.slice(0, longest)).toString()}…` : text
}

onFailure(async () =>
  last.length === 0 ? [] : ['Sent last, and answered:', ...last.map((each) => `  ${shown(each)}`)],
)

function shown({ method, path, sent, status, answer }: Exchange): string {
  const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
  const params = [...sent].map(([name, value]) => `${name}=${value}`).join(' ')
  return `${method} ${path} ${cut(params)} → ${status} ${cut(JSON.stringify(answer))}`
}
