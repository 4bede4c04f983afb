import { pagePaths } from '../src/features/web/help/contents.ts'
import { configVariables } from '../src/platform/config/variables.ts'
import { withTables } from './help-tables.ts'

/** A file of which parts follow from declarations. */
interface Follower {
  /** Its path from the root of the repository. */
  readonly file: string
  /** Returns the text of the file with these parts as they have to be. */
  follow(text: string): string
}

export const followers: readonly Follower[] = [
  ...pagePaths.map((path) => ({
    file: `src/features/web/help/pages/${path}.md`,
    follow: withTables,
  })),
  {
    file: 'src/program/parley.d.cts',
    follow: (text) =>
      replaced(text, /(?<=export interface Config \{\n)[\s\S]+?(?=^\}\n)/m, members()),
  },
]

function replaced(text: string, part: RegExp, by: string): string {
  if (!part.test(text)) throw new Error(`Nothing there looks like ${part}.`)
  return text.replace(part, () => by)
}

function members(): string {
  const all = Object.entries(configVariables).map(([name, declared]) => {
    if ('parts' in declared) {
      const names = declared.parts.map((part) => part.name).join(', ')
      return member(name, declared.type, `${declared.meaning} As with ${names}.`, declared.default)
    }
    if (!('kind' in declared)) {
      return declared.type ? member(name, declared.type, declared.meaning, declared.default) : ''
    }
    const { default: usual, embedded: value = usual, unset } = declared
    const type = value === null ? `${declared.kind.type} | null` : declared.kind.type
    const note = declared.note ? ` ${declared.note}` : ''
    return member(name, type, `${declared.name}: ${declared.meaning}${note}`, value, unset)
  })
  return all.join('')
}

function member(name: string, type: string, text: string, value: unknown, unset?: string): string {
  const meant = unset === undefined ? '' : `, ${unset}`
  const shown = typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
  const lines = wrapped(`${text} Default: ${shown}${meant}.`)
  const [only = ''] = lines
  const doc =
    lines.length === 1
      ? `  /**${only} */\n`
      : `  /**\n${lines.map((line) => `   *${line}\n`).join('')}   */\n`
  return `${doc}  readonly ${name}?: ${type}\n`
}

/** The lines of a comment of at most 100 characters each. */
function wrapped(text: string): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length < 92) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(` ${word}`)
  }
  return lines
}
