// Finds turns of phrase that read like a translation: in comments, Markdown, texts in the sources, and
// titles of tests; and names that say a second word for one thing, which `words.ts` lists. `npm run
// check` runs `check-english.ts`, which uses this. It only knows the habits that this project has had;
// texts still have to be read aloud.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.ts'
import { misnomersIn } from './words.ts'

/** A habit to avoid. */
export interface Habit {
  readonly pattern: RegExp
  /** Why, and what to write instead. */
  readonly hint: string
}

/** The beginning of a sentence, or of a part after a colon or semicolon. */
const start = '(?:^|[.;:!?] )'

export const habits: readonly Habit[] = [
  {
    pattern: new RegExp(
      `${start}Who(?:ever)? (?:goes|gives|gets|reads|still|scrolls|scrolled|hides|acts|asks|comes|joins|leaves|logs|registers|waits|is here|is away|is gone|has just|has had)\\b`,
    ),
    hint: '“Who” without an antecedent: write “A user who ...”, “Users who ...” or “Anyone who ...”.',
  },
  {
    pattern: new RegExp(`${start}Of (?!course\\b)`),
    hint: 'A fronted “Of ...”: begin with the subject.',
  },
  {
    pattern: /, of (?:which|whom|whose)\b/,
    hint: 'A trailing “, of which ...”: start a new sentence, or write “whose” or “...; only ... of them”.',
  },
  { pattern: /, whom\b/, hint: '“, whom ...”: make it a sentence of its own.' },
  {
    pattern: /, too(?=[.,;:)!?]|$)/,
    hint: 'A trailing “, too”: write “also” before the verb, or “as well”.',
  },
  {
    pattern: /\bany more(?=[.,;:)!?]|$| (?:and|when|if|because|since|in|by|on|at|for)\b)/,
    hint: '“any more” of time: write “no longer”, or “anymore”.',
  },
  {
    pattern: /\b(?:some|every|any)body\b/i,
    hint: 'One word for one thing: someone, everyone, anyone.',
  },
  {
    pattern: /\btold of\b/,
    hint: 'Nobody is “told of” something: name the event, mail, error or notification.',
  },
  {
    pattern: /\bthat\b[^.;:,()]*\bthat\b[^.;:,()]*\bthat\b/,
    hint: 'A chain of “that”: split the sentence, or use a noun.',
  },
  {
    pattern: /\bsuch an? \w+(?=[.,;:)]|$)/,
    hint: '“such a ...” without “as” or “that”: write “the ...”, “this ...” or “one like it”.',
  },
  {
    pattern: new RegExp(`${start}What (?:[\\w’']+ ){1,8}(?:is|are) (?:what|that)\\b`),
    hint: 'A “What ... is” cleft: begin with the subject.',
  },
]

/** Habits of the comments in the sources, which texts for people may have. */
export const commentHabits: readonly Habit[] = [
  {
    pattern: /\bat once\b/,
    hint: 'Two meanings: write “immediately”, or “together”, “in one query”, “at a time”.',
  },
]

/** Habits of the titles of tests: each is read alone when its test fails. */
const titleHabits: readonly Habit[] = [
  {
    pattern: /^(?:and|but|nor|or|so|neither)\b/,
    hint: 'A title that continues the one before: give it a subject of its own.',
  },
]

/** Texts that may have a habit, with the reason. */
const allowed: readonly { readonly file: RegExp; readonly reason: string }[] = [
  {
    file: /^src\/program\/fixture\/team\//,
    reason: 'messages of people in the development organization',
  },
  { file: /^src\/program\/fixture\/messages\.ts$/, reason: 'generated messages of people' },
  { file: /^src\/translations\/.*\.json$/, reason: 'other languages' },
  { file: /^\.build\/english\.ts$/, reason: 'the habits themselves' },
  { file: /^test\/support\/exports\//, reason: 'messages of people in exports of other systems' },
]

export interface Finding {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly hint: string
}

/** A text for people, with the line at which it begins. */
interface Passage {
  readonly line: number
  readonly text: string
  readonly kind: Kind
}

/** The title of a test, a comment or README of the sources, or any other text. */
type Kind = 'title' | 'comment' | 'text'

/** All habits in the files of the repository, and misnomers in the sources. */
export function findHabits(): Finding[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return listed
    .split('\0')
    .filter((file) => /\.(?:[cm]?ts|tsx|mjs|cjs|md)$/.test(file))
    .filter((file) => !allowed.some((each) => each.file.test(file)))
    .flatMap((file) => {
      const source = readSource(join(root, file))
      const passages = file.endsWith('.md')
        ? paragraphs(source, isSource(file) ? 'comment' : 'text')
        : passagesIn(source, file)
      const habitual = passages.flatMap(({ line, text, kind }) =>
        habitsIn(text, kind).map(({ hint }) => ({ file, line, text, hint })),
      )
      return isSource(file) ? [...habitual, ...misnomers(file, source)] : habitual
    })
}

function misnomers(file: string, source: string): Finding[] {
  if (source === '' || !/\.tsx?$/.test(file)) return []
  return misnomersIn(file, source).map(({ name, line, hint }) => ({ file, line, text: name, hint }))
}

/** The habits that a text has. */
export function habitsIn(text: string, kind: Kind = 'text'): Habit[] {
  const more = { title: titleHabits, comment: commentHabits, text: [] }[kind]
  return [...habits, ...more].filter(({ pattern }) => pattern.test(text))
}

/** Whether a file is one of the sources, and no page for people. */
function isSource(file: string): boolean {
  return file.startsWith('src/') && !file.startsWith('src/features/web/help/pages/')
}

/** A file that is deleted, but not yet for Git, is empty. */
function readSource(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The paragraphs, list items and cells of a Markdown text, without code. */
function paragraphs(source: string, kind: Kind): Passage[] {
  const found: (Passage & { text: string })[] = []
  let isCode = false
  let isNew = true
  for (const [index, line] of source.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode
    const text = isCode ? '' : line.replaceAll(/`[^`]*`/g, '`').trim()
    const last = found.at(-1)
    if (text.startsWith('|')) {
      for (const cell of text.split('|')) found.push({ line: index + 1, text: cell.trim(), kind })
    } else if (isNew || !last || /^(?:[-*#>]|\d+\.) /.test(text)) {
      found.push({ line: index + 1, text: text.replace(/^(?:[-*#>]+|\d+\.) /, ''), kind })
    } else last.text += ` ${text}`
    isNew = text === '' || text.startsWith('|')
  }
  return found
}

const title = /^\s*(?:test|describe)\(\s*(['"`])(.*?)\1,/
const literal = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

/** The comments of a source, with lines joined, and its texts; of a test, only the titles. */
function passagesIn(source: string, file: string): Passage[] {
  const found: (Passage & { text: string })[] = []
  const isTest = file.startsWith('test/')
  const kind = isSource(file) ? 'comment' : 'text'
  let comment: (Passage & { text: string }) | undefined
  for (const [index, line] of source.split('\n').entries()) {
    const inComment = /^\s*(?:\/\/|\/?\*+)\s?(.*?)(?:\*\/)?$/.exec(line)
    if (inComment) {
      const text = (inComment[1] ?? '').trim()
      // Tags and empty lines begin a text of their own.
      if (!comment || text === '' || /^(?:@|- )/.test(text) || /^\s*\/\*/.test(line)) {
        comment = { line: index + 1, text: text.replace(/^(?:@\w+|-) ?/, ''), kind }
        found.push(comment)
      } else comment.text += ` ${text}`
      continue
    }
    comment = undefined
    const trailing = /\s\/\/ (.*)$/.exec(line)?.[1]
    if (trailing) found.push({ line: index + 1, text: trailing, kind })
    if (isTest) {
      const named = title.exec(line)?.[2]
      if (named) found.push({ line: index + 1, text: named, kind: 'title' })
    } else if (/\w \w/.test(line)) {
      for (const [, single, double, template] of line.matchAll(literal)) {
        const text = single ?? double ?? template ?? ''
        if (/\w \w+ \w/.test(text)) found.push({ line: index + 1, text, kind: 'text' })
      }
    }
  }
  return found
}
