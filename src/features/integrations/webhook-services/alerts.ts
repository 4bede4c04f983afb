import { bullet, inline, link, quoting } from './format.ts'
import { chosen, signs } from './signs.ts'

/** The states of monitoring services, in one vocabulary for all. */
export type AlertState = 'firing' | 'resolved' | 'info' | 'warning'

const stateSigns: Readonly<Record<AlertState, string>> = {
  firing: signs.alert,
  resolved: signs.resolved,
  info: signs.info,
  warning: signs.warning,
}

/** The emoji of a state. */
export function stateSign(state: AlertState): string {
  return stateSigns[state]
}

/** The states that words of monitoring services mean. */
const wordStates: Readonly<Record<string, AlertState>> = {
  firing: 'firing',
  alerting: 'firing',
  alert: 'firing',
  down: 'firing',
  problem: 'firing',
  critical: 'firing',
  error: 'firing',
  failed: 'firing',
  triggered: 'firing',
  open: 'firing',
  started: 'firing',
  resolved: 'resolved',
  ok: 'resolved',
  up: 'resolved',
  closed: 'resolved',
  recovered: 'resolved',
  success: 'resolved',
  warning: 'warning',
  pending: 'warning',
  unknown: 'warning',
}

/** The state that a word means; unknown words only give a note. */
export function stateOf(word: string): AlertState {
  return chosen(wordStates, word.toLowerCase()) ?? 'info'
}

/** A line about the state of something, with a quote or facts below it. */
export function stateText(about: {
  readonly state: AlertState
  /** The subject, with its address. */
  readonly name: string
  readonly url?: string | undefined
  /** The statement about it: `is down`. */
  readonly words: string
  readonly quote?: string | undefined
  /** Names and values in Markdown; names without a value are left out. */
  readonly facts?: readonly (readonly [name: string, value: string | undefined])[]
}): string {
  const { state, name, url, words, quote, facts = [] } = about
  const line = `${stateSign(state)} ${link(name, url)} ${inline(words)}`
  const list = facts.map(([label, value]) => bullet(label, value)).filter(Boolean)
  const head = quoting(line, quote)
  return list.length === 0 ? head : `${head}\n\n${list.join('\n')}`
}

/** A duration in words: `1 hour 5 minutes`; zero parts are left out. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const units: readonly (readonly [name: string, size: number])[] = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ]
  let rest = whole
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  })
  return parts.join(' ') || '0 seconds'
}
