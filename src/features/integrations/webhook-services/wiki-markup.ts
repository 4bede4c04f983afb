import { inline, link } from './format.ts'

/** They enclose the index of a part that is Markdown already. */
const [open, close] = ['\ue000', '\ue001']

const blocks =
  /\{noformat\}([\s\S]*?)\{noformat\}|\{code(?::([\w+#-]{1,20})[^}\n]{0,100})?\}([\s\S]*?)\{code\}|\{quote\}([\s\S]*?)\{quote\}/g

/**
 * Converts the wiki markup of Jira to Markdown, as far as comments use it.
 *
 * @source Atlassian, "Text Formatting Notation Help"
 */
export function fromWikiMarkup(source: string): string {
  const aside: string[] = []
  const put = (markdown: string) => `${open}${aside.push(markdown) - 1}${close}`
  const text = source.slice(0, 20_000).replace(/[\ue000\ue001]/g, '')
  const fenced = text.replace(blocks, (_, plain, language, code, quote) => {
    if (quote !== undefined) return `\n${String(quote).trim().replace(/^/gm, '> ')}\n`
    const shown = String(plain ?? code)
      .replace(/^\n+/, '')
      .trimEnd()
    return `\n${put(`\`\`\`${language ?? ''}\n${shown.replaceAll('```', "'''")}\n\`\`\``)}\n`
  })
  const marked = fenced
    .replace(/^bq\. /gm, '> ')
    .replace(/\{\{([^{}\n]{1,500})\}\}/g, (_, words: string) =>
      put(`\`${words.replaceAll('`', "'")}\``),
    )
    .replace(/\[~(?:accountid:)?([^\]\n|]{1,100})\]/g, (_, name: string) => put(`@${inline(name)}`))
    .replace(
      /\[([^\]\n|]{1,500})\|(https?:\/\/[^\]\s|]{1,2000})(?:\|[^\]\n]{0,100})?\]/g,
      (_, label: string, url: string) => put(link(label, url)),
    )
    .replace(/\[(https?:\/\/[^\]\s|]{1,2000})\]/g, (_, url: string) => put(url))
    .replace(/(?<=^|[\s([{"'])\*(?=\S)([^*\n]{1,1000}?\S|\S)\*(?=$|[\s)\]}.,;:!?"'])/gm, '**$1**')
    .replace(/(?<=^|[\s([{"'])_(?=\S)([^_\n]{1,1000}?\S|\S)_(?=$|[\s)\]}.,;:!?"'])/gm, '*$1*')
    .replaceAll('\\!', '!')
  return marked.replace(/\ue000(\d+)\ue001/g, (_, i: string) => aside[Number(i)] ?? '')
}
