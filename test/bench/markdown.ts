import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import type { Lookups, RenderedMarkdown } from '#platform/markdown/types.ts'
import { type Line, median, milliseconds } from './figures.ts'
import { pathological } from './pathological.ts'
import type { Program } from './processes.ts'

const person = { id: 8, fullName: 'Desdemona', isActive: true }
const channel = { id: 4, name: 'release planning' }

const lookups: Lookups = {
  usersByName: (name) => (name === person.fullName ? [person] : []),
  userById: (id) => (id === person.id ? person : undefined),
  groupByName: () => undefined,
  channelByName: (name) => (name === channel.name ? channel : undefined),
  newestInTopic: () => 4711,
  customEmoji: () => undefined,
  linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://bugs.example.com/{id}' }],
  emptyTopicDisplayName: 'general chat',
  defaultCodeLanguage: '',
  realmUrl: 'https://chat.example.com',
  translateEmoticons: false,
  previewsEnabled: true,
}

/** What people write in a working day: mostly a line or two, now and then something longer. */
const messages = [
  'Good morning!',
  'Sounds good to me, I will look at it after lunch.',
  '@**Desdemona** could you check whether the nightly build is green again?',
  'Thanks :tada: that was quick.',
  'It is at https://wiki.example.org/pages/42?edit=1#notes, see the second table there.',
  'No, the *old* one. The **new** one has not been deployed yet, has it?',
  'This is #2481 again, we fixed it once in #1960.',
  'Moved the rest to #**release planning>June**, so that everybody finds it.',
  'The call to `flush()` returns before the file is on disk, so a crash loses the last write.',
  'Two things before we can ship:\n* the upgrade notes\n* a decision about the default\n\nI can do the first today.',
  '> Can we drop support for the old format?\n\nNot before the next major version. Some people still have archives in it.',
  '```\n$ make test\nFAILED 2 of 1840\n```\nBoth time out on the slow machine only.',
  'Here is what I tried:\n```python\nfor name in names:\n    print(name.strip())\n```\nIt prints an empty line for each missing name.',
  '1. Stop the server.\n2. Replace the file.\n3. Start it again.\n\nThat is all; the data stays where it is.',
  'The figures from this morning, in milliseconds per request: 3.1, 2.9, 3.4 and once 11.2. The last one came right after the backup had started, which reads everything once. I would not worry about it, but let us keep the graph open for the rest of the week and compare it with the one from May.',
  'lol 😄',
]

const rounds = 25
const warmUpRounds = 10
const perRound = 100

/** How much the renderer does in a second, next to plain marked on the same messages. */
export async function measureMarkdown(_program: Program, folder: string): Promise<Line[]> {
  const { render, parse } = bundle(folder)
  const own = (message: string) => render(message, lookups)
  const plain = (message: string) => parse(message, { breaks: true })
  for (let round = 0; round < warmUpRounds; round++) for (const each of [own, plain]) rate(each)
  const rates: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const ours = rate(own)
    rates.push(ours)
    ratios.push(ours / rate(plain))
  }
  const ratio = median(ratios)
  const worst = worstOf(own)
  return [
    {
      name: 'Markdown, messages rendered',
      figure: `${Math.round(median(rates))}/s, ${ratio.toFixed(2)} × marked`,
      target: '≥ 0.50 × marked',
      met: ratio >= 0.5,
    },
    {
      name: `Markdown, worst of ${2 * pathological.length} bad texts of ${badLength} characters`,
      figure: milliseconds(worst),
      target: '< 50 ms',
      met: worst < 50,
    },
  ]
}

const badLength = 10_000

/** The longest time that a text made to take long takes: the same thing over and over. */
function worstOf(renderOne: (source: string) => unknown): number {
  const texts = pathological.flatMap((part) => [part, `${part}\n`])
  return Math.max(
    ...texts.map((part) => {
      const text = part.repeat(Math.ceil(badLength / part.length)).slice(0, badLength)
      const times = [1, 2, 3, 4, 5].map(() => {
        const started = performance.now()
        renderOne(text)
        return performance.now() - started
      })
      return Math.min(...times)
    }),
  )
}

interface Renderers {
  render(source: string, lookups: Lookups): RenderedMarkdown
  parse(source: string, options: { breaks: boolean }): string
}

/** Both renderers as one file, as the program has them: sources run with extra calls for names. */
function bundle(folder: string): Renderers {
  const outfile = join(folder, 'renderers.cjs')
  const contents = `export { render } from '#platform/markdown/render.ts'; export { parse } from 'marked'`
  const stdin = { contents, resolveDir: import.meta.dirname }
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs' })
  return createRequire(import.meta.url)(outfile)
}

function rate(renderOne: (message: string) => unknown): number {
  const started = performance.now()
  for (let time = 0; time < perRound; time++) for (const message of messages) renderOne(message)
  return (perRound * messages.length * 1000) / (performance.now() - started)
}
