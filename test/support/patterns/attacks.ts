import { draw } from '../drawing.ts'

/** A text that grows: what stands before, what is repeated, what stands behind. */
export interface Attack {
  readonly before: string
  readonly unit: string
  readonly behind: string
}

/** The text of an attack, of about that many UTF-16 code units. */
export function textOf({ before, unit, behind }: Attack, length: number): string {
  return before + unit.repeat(Math.ceil(length / unit.length)) + behind
}

/** What is repeated whatever the pattern. */
// biome-ignore format: one family a line
export const usualUnits = [
  ' ', '\t', '\n', '\r', '\u2028', '\u00a0', '\u200b', '\ud83d\ude00', '\u00e9',
  'a', 'A', 'e1', '0', '1', '-', '_', '.', ',', ':', ';', '/', '\\', '!', '?', '#', '@', '*', '~', '+', '=', '|', '&', '%', '$', '^',
  '`', '"', "'", '(', ')', '[', ']', '{', '}', '<', '>',
  'a ', ' a', 'a\n', '\n ', ' \n', '\r\n', 'a.', 'a-', 'a@', '1.', '0,', ': ', '- ', '> ', '\n> ', '* ', '"a', '` ', '``a', 'a\u2028',
  '<a ', '<a', '</', '[a](', '](', '[[', '**a', '= ', '="', '&a', 'a=a&', '\\"', '\\a', '${', '{{', '{a}', '/*', '//', '://', 'http://a', '@**', 'a/',
]
const behinds = ['', '\u0001', '\n', ' x']

/** What a class of characters is tried with, from the most ordinary on. */
const pool = [
  ...'aA0 -._:/,;@#"\'`*~|<>()[]{}=&%$+!?\\^\n\t\r\u2028\u00a0\u00e9\u200b',
  '\ud83d\ude00',
  '\u0001',
]

/** Texts that are made for a pattern: from what it takes, up to each place where it repeats. */
export function attacksOn(pattern: string, flags: string): readonly Attack[] {
  const found = new Map<string, Attack>()
  const add = (before: string, unit: string) => {
    if (unit === '') return
    for (const behind of behinds) {
      found.set(`${before}\0${unit}\0${behind}`, { before, unit, behind })
    }
  }
  const { starts, runs, characters } = partsOf(pattern, flags)
  for (const unit of [...draw(usualUnits, 1 / 2), ...characters, ...starts]) add('', unit)
  for (const [before, unit] of runs) {
    add(before, unit)
    add('\u0001', unit)
    add('', before + unit)
    add('', unit + unit + before)
  }
  return [...found.values()]
}

interface Parts {
  /** Texts that it takes up to each of its places. */
  readonly starts: Set<string>
  /** What stands before a repetition, and what it repeats. */
  readonly runs: [before: string, unit: string][]
  readonly characters: Set<string>
}

/** The longest beginning of a text that is made. */
const longestStart = 200

/** Reads a pattern as far as it has to be known which texts it takes. */
function partsOf(pattern: string, flags: string): Parts {
  const parts: Parts = { starts: new Set(), runs: [], characters: new Set() }
  const unflagged = flags.replace(/[gy]/g, '')
  const groups: string[] = []
  let at = 0

  /** Alternatives up to the bracket that closes them. @returns a text that each of them takes */
  function readAlternatives(before: string): string[] {
    const samples = [readSequence(before)]
    while (pattern[at] === '|') {
      at++
      samples.push(readSequence(before))
    }
    return samples
  }

  function readSequence(before: string): string {
    let text = ''
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const place = (before + text).slice(-longestStart)
      const samples = readAtom(place)
      const isMany = readQuantifier()
      for (const sample of isMany ? samples : []) {
        parts.runs.push([place, sample])
        if (samples[0] !== sample) parts.runs.push([place, samples[0] + sample])
      }
      text += samples[0] ?? ''
      parts.starts.add((before + text).slice(-longestStart))
    }
    return text
  }

  function readAtom(before: string): string[] {
    if (pattern[at] === '(') {
      const [opening = '('] =
        /^\((?:\?(?:[:=!]|<[=!]|<\w+>|[ims-]+:))?/.exec(pattern.slice(at)) ?? []
      at += opening.length
      const group = groups.push('') - 1
      const samples = readAlternatives(before)
      at++
      groups[group] = samples[0] ?? ''
      return /^\(\?<?[=!]$/.test(opening) ? [''] : samples
    }
    const source = readCharacter()
    if (/^(?:[$^]|\\[bB])$/.test(source)) return ['']
    if (/^\\(?:[1-9]|k<)/.test(source)) return [groups[0] ?? '']
    const taken = new RegExp(`^(?:${source})$`, unflagged)
    const literal = source.length === 1 ? [source] : []
    const fits = [...literal, ...pool, ...source].filter((each) => taken.test(each))
    const [first = '', ...others] = [...new Set(fits)]
    // The most ordinary, and some that classes beside this one may take as well.
    const chosen = [first, ...others.filter((_, i) => i % 4 === 0).slice(0, 6)]
    for (const each of chosen) parts.characters.add(each)
    return chosen
  }

  /** A character, an escape or a class, as the pattern writes it. */
  function readCharacter(): string {
    const rest = pattern.slice(at)
    const source =
      /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\c[A-Z]|\\[\s\S]|[\ud800-\udbff][\udc00-\udfff]|[\s\S])/.exec(
        rest,
      )?.[0] ?? ''
    at += source.length
    return source
  }

  /** Whether what was read may be there many times. */
  function readQuantifier(): boolean {
    const [whole = '', least, most] = /^(?:[*+?]|\{(\d+)(,?\d*)\})\??/.exec(pattern.slice(at)) ?? []
    at += whole.length
    if (whole === '' || whole.startsWith('?')) return false
    return least === undefined || most === ',' || Number(most?.slice(1) || least) > 8
  }

  readAlternatives('')
  return parts
}
