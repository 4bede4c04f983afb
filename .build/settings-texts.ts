import { bindings, chordLabels, sections } from '../src/client/keys/bindings.ts'
import { defaultText, type Variable } from '../src/platform/config/variable.ts'
import { configVariables } from '../src/platform/config/variables.ts'
import { variables } from '../src/program/variables.ts'

/** A file of which a part follows from the declarations of the settings, or of the keys. */
interface Follower {
  /** Its path from the root of the repository. */
  readonly file: string
  /** Returns the text of the file with that part as it has to be. */
  follow(text: string): string
}

export const followers: readonly Follower[] = [
  {
    file: 'src/features/web/help/pages/operators/settings.md',
    follow: (text) =>
      replaced(text, /(?<=\| Variable \| Meaning \|\n\| --- \| --- \|\n)(\|.*\n)+/, rows()),
  },
  {
    file: 'src/features/web/help/pages/people/keyboard-shortcuts.md',
    follow: (text) => replaced(text, /(?<=^<!-- keys -->\n\n)[\s\S]+?(?=^<!-- end -->$)/m, keys()),
  },
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

function keys(): string {
  const names = Object.keys(sections) as (keyof typeof sections)[]
  return names
    .map((name) => {
      const lines = bindings
        .filter(({ section }) => section === name)
        .map(({ description, keys: chords }) => {
          const shown = chords.map((chord) => `\`${chordLabels(chord).join('+')}\``).join(' or ')
          return `| ${shown} | ${description} |\n`
        })
      return `## ${sections[name]}\n\n| Key | What it does |\n| --- | --- |\n${lines.join('')}\n`
    })
    .join('')
}

function rows(): string {
  return variables.map((each) => `| \`${each.name}\` | ${cell(each)} |\n`).join('')
}

function cell(variable: Variable): string {
  const { meaning, help, unset } = variable
  const sentences = meaning.replace(/"(on|off)"/g, '`$1`').replace('%s', '`%s`')
  const see = help?.replace(/\]\(#([a-z-]+)\)/g, (_, anchor: string) => `](${pageOf(anchor)})`)
  const value = defaultText(variable)
  const shown = unset === undefined && value !== 'none' ? `\`${value}\`` : value
  return [sentences, see, `Default: ${shown}.`].filter(Boolean).join(' ')
}

/** The help pages to which the texts of settings refer by what they are about. */
const pages: Readonly<Record<string, string>> = {
  'accounts-elsewhere': 'single-sign-on.md',
  health: 'health-and-metrics.md#health',
  'in-the-browser': 'backups.md#in-the-browser',
  limits: 'limits.md',
  litestream: 'backups.md#litestream',
  'mail-that-comes-in': 'mail.md#mail-that-comes-in',
  metrics: 'health-and-metrics.md#metrics',
  'notifications-on-devices': 'phones.md',
  'on-the-internet': 'on-the-internet.md',
  'phones-with-the-apps': 'phones.md#phones-with-the-apps',
  privacy: 'security.md',
  'regular-backups': 'backups.md#regular-backups',
  signals: 'commands.md#signals',
  upgrading: 'upgrading.md',
}

function pageOf(anchor: string): string {
  const page = pages[anchor]
  if (page === undefined) throw new Error(`No help page is about #${anchor}.`)
  return page
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
    const { default: value, unset } = declared
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
