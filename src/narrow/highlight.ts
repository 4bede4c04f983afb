import Database from 'better-sqlite3'
import { loadAddon } from '#store/addon.ts'
import { highlightQuery } from './search.ts'

/** Marks around a match until the text is HTML again; such characters of its own become blanks. */
const start = '\ue000'
const end = '\ue001'

interface Tokenizer {
  /** The texts that match an FTS5 query, by their position, with the matches between the marks. */
  matches(texts: readonly string[], query: string): Map<number, string>
}

let tokenizer: Tokenizer | undefined

/**
 * Marks what was searched for in the text of HTML documents with `<span class="highlight">`; no tag
 * is touched. Matches are those of the search itself: stems, without accents.
 *
 * @param searched the texts that were searched for
 */
export function highlight(htmls: readonly string[], searched: readonly string[]): string[] {
  tokenizer ??= openTokenizer()
  // Every second part of a document is a tag.
  const documents = htmls.map((html) => html.split(/(<[^>]*>)/))
  const texts = documents.flatMap((parts) =>
    parts.filter((_, i) => i % 2 === 0).map((text) => unescapeHtml(text)),
  )
  const marked = tokenizer.matches(texts, highlightQuery(searched))
  let next = 0
  return documents.map((parts) =>
    parts
      .map((part, i) => {
        if (i % 2 === 1) return part
        const found = marked.get(next++)
        return found === undefined ? part : asHtml(found)
      })
      .join(''),
  )
}

/** A table in memory with the tokenizer of the search, which alone knows what it would match. */
function openTokenizer(): Tokenizer {
  const db = new Database(':memory:', { nativeBinding: loadAddon() as string })
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5(
    text, tokenize = 'porter unicode61 remove_diacritics 2')`)
  const clear = db.prepare('DELETE FROM texts')
  const insert = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)')
  const select = db.prepare<[string], { id: number; text: string }>(
    `SELECT rowid AS id, highlight(texts, 0, '${start}', '${end}') AS text
     FROM texts WHERE texts MATCH ?`,
  )
  return {
    matches: db.transaction((texts: readonly string[], query: string) => {
      clear.run()
      for (const [i, text] of texts.entries()) if (text.trim() !== '') insert.run(i, text)
      return new Map(select.all(query).map(({ id, text }) => [id, text]))
    }),
  }
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
}

function unescapeHtml(html: string): string {
  return html
    .replaceAll(/[\ue000\ue001]/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
}

function asHtml(marked: string): string {
  const escaped = marked.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replaceAll(start, '<span class="highlight">').replaceAll(end, '</span>')
}
