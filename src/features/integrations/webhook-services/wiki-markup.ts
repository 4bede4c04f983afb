import { inline, link } from './format.ts'

/** They enclose the index of a part that is Markdown already. */
const [open, close] = ['\ue000', '\ue001']

/** What begins or ends a part that is set apart. */
const marks = /\{(noformat|quote|code)(?::([\w+#-]{1,20})[^{}\n]{0,100})?\}/g

/**
 * Converts the wiki markup of Jira to Markdown, as far as comments use it.
 *
 * @source Atlassian, "Text Formatting Notation Help"
 */
export function fromWikiMarkup(source: string): string {
  const aside: string[] = []
  const put = (markdown: string) => `${open}${aside.push(markdown) - 1}${close}`
  const text = source.slice(0, 20_000).replace(/[\ue000\ue001]/g, '')
  const fenced = withBlocks(text, (kind, inner, language) => {
    if (kind === 'quote') return `\n${inner.trim().replace(/^/gm, '> ')}\n`
    const shown = inner.replace(/^\n+/, '').trimEnd()
    return `\n${put(`\`\`\`${language}\n${shown.replaceAll('```', "'''")}\n\`\`\``)}\n`
  })
  const marked = fenced
    .replace(/^bq\. /gm, '> ')
    .replace(/\{\{([^{}\n]{1,500})\}\}/g, (_, words: string) =>
      put(`\`${words.replaceAll('`', "'")}\``),
    )
    .replace(/\[~(?:accountid:)?([^[\]\n|]{1,100})\]/g, (_, name: string) =>
      put(`@${inline(name)}`),
    )
    .replace(
      /\[([^[\]\n|]{1,500})\|(https?:\/\/[^[\]\s|]{1,2000})(?:\|[^[\]\n]{0,100})?\]/g,
      (_, label: string, url: string) => put(link(label, url)),
    )
    .replace(/\[(https?:\/\/[^[\]\s|]{1,2000})\]/g, (_, url: string) => put(url))
    .replace(/(?<=^|[\s([{"'])\*(?=\S)([^*\n]{1,1000}?\S|\S)\*(?=$|[\s)\]}.,;:!?"'])/gm, '**$1**')
    .replace(/(?<=^|[\s([{"'])_(?=\S)([^_\n]{1,1000}?\S|\S)_(?=$|[\s)\]}.,;:!?"'])/gm, '*$1*')
    .replaceAll('\\!', '!')
  return marked.replace(/\ue000(\d+)\ue001/g, (_, i: string) => aside[Number(i)] ?? '')
}

/** Replaces each part between two marks of a kind, the first of which may name a language. */
function withBlocks(
  text: string,
  replaced: (kind: string, inner: string, language: string) => string,
): string {
  let result = ''
  let done = 0
  const lastEnds = new Map(
    ['noformat', 'quote', 'code'].map((kind) => [kind, text.lastIndexOf(`{${kind}}`)]),
  )
  let opened: { kind: string; language: string; start: number; end: number } | undefined
  for (const { 0: mark, 1: kind = '', 2: language = '', index } of text.matchAll(marks)) {
    const end = index + mark.length
    if (!opened) {
      const isBeginning = kind === 'code' || mark === `{${kind}}`
      if (isBeginning && (lastEnds.get(kind) ?? -1) >= end)
        opened = { kind, language, start: index, end }
    } else if (mark === `{${opened.kind}}`) {
      const inner = text.slice(opened.end, index)
      result += text.slice(done, opened.start) + replaced(kind, inner, opened.language)
      done = end
      opened = undefined
    }
  }
  return result + text.slice(done)
}
