import { readFileSync } from 'node:fs'
import { pagePaths } from '#features/web/help/contents.ts'

/** A fenced block of the README or of a help page. */
export interface Example {
  /** Where it is: `bots/events: Register a queue`, and ` 2` for the second under a heading. */
  readonly place: string
  /** What stands behind the fence; empty for none. */
  readonly language: string
  readonly code: string
}

const root = new URL('../../../', import.meta.url)

/** The pages with examples, as they are called in places, with their paths from the root. */
const documents: readonly (readonly [name: string, file: string])[] = [
  ['README', 'README.md'],
  ...pagePaths.map((path) => [path, `src/features/web/help/pages/${path}.md`] as const),
]

/** The README and all help pages, by what places call them. */
export const documentTexts: ReadonlyMap<string, string> = new Map(
  documents.map(([name, file]) => [name, readFileSync(new URL(file, root), 'utf8')]),
)

/** All examples, in their order. */
const examples: readonly Example[] = [...documentTexts].flatMap(([name, text]) =>
  examplesIn(name, text),
)

function examplesIn(document: string, text: string): Example[] {
  const found: Example[] = []
  const counts = new Map<string, number>()
  let heading = ''
  let open: { fence: string; language: string; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const fence = /^(`{3,})(\w*)$/.exec(line)
    if (open) {
      if (line !== open.fence) {
        open.lines.push(line)
        continue
      }
      const count = (counts.get(heading) ?? 0) + 1
      counts.set(heading, count)
      const place = `${document}: ${heading}${count > 1 ? ` ${count}` : ''}`
      found.push({ place, language: open.language, code: `${open.lines.join('\n')}\n` })
      open = undefined
    } else if (fence) open = { fence: fence[1] ?? '', language: fence[2] ?? '', lines: [] }
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading
  }
  return found
}

const taken = new Set<string>()

/** The code of an example that a test runs. @throws Error there is none, or it is taken already */
export function takeExample(place: string): string {
  const example = examples.find((each) => each.place === place)
  if (!example) throw new Error(`There is no example "${place}".`)
  if (taken.has(place)) throw new Error(`"${place}" is run already.`)
  taken.add(place)
  return example.code
}

/** The places of the examples that no test has taken. */
export const untaken = (): string[] =>
  examples.map(({ place }) => place).filter((place) => !taken.has(place))
