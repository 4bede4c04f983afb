import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listTexts } from '../../.build/texts-of.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The same text in other letters; placeholders stay. */
const disguised = (text: string) =>
  text.replace(/\{\w+\}|[a-z]/gi, (part) => (part.length > 1 ? part : 'ж'))

/** The language whose texts are disguised. */
export const disguise = 'ar'

/**
 * Lets a server show every text of its catalogues in other letters, to whoever reads Arabic. Words in
 * Latin letters that are still there were written somewhere else.
 *
 * @param data the server's data folder
 */
export function disguiseTexts(data: string): void {
  const categories = new Intl.PluralRules(disguise).resolvedOptions().pluralCategories
  const all = listTexts(root).map(({ forms, key }) => [
    key,
    forms.length === 1
      ? disguised(key)
      : Object.fromEntries(categories.map((category) => [category, disguised(forms[1] ?? '')])),
  ])
  const folder = join(data, 'translations')
  mkdirSync(folder, { recursive: true })
  const texts = Object.fromEntries(all)
  const file = { language: disguise, client: texts, server: texts }
  writeFileSync(join(folder, `${disguise}.json`), JSON.stringify(file))
}

/** Attributes that people see or hear. */
const shownAttributes = /\s(?:alt|aria-label|placeholder|title|data-show|data-hide)="([^"]*)"/g

/**
 * The words in Latin letters that an HTML page shows, each once. What is in `code` or `pre` is for
 * machines.
 *
 * @param values what the page shows of the organization, and names of products
 */
export function latinWords(page: string, values: readonly string[] = []): string[] {
  const body = page
    .replace(/<(script|style|code|pre|noscript hidden)\b.*?<\/\1>/gs, ' ')
    .replace(/<!--.*?-->/gs, ' ')
  const attributes = [...body.matchAll(shownAttributes)].map(([, value = '']) => value)
  const text = [body.replace(/<[^>]*>/g, ' '), ...attributes].join('\n')
  let shown = text.replace(/&(?:#\d+|\w+);/g, ' ')
  for (const value of [...values].sort((a, b) => b.length - a.length)) {
    shown = shown.replaceAll(value, ' ')
  }
  return [...new Set(shown.match(/[a-z]{2,}(?:['’ -]+[a-z]+)*/gi) ?? [])]
}
