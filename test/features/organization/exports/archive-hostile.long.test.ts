import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { runCli } from '#program/cli/program.ts'
import { closeChromium, newPage, noChromium, openChromium } from '#test/support/chromium.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

/** Names that leave any place that does not expect them. */
const name = `"'><img src=x onerror=alert(1)>$'$&`

/** Attacks on pages that are made by replacing parts of texts. */
const attacks = [
  `[click](http://a.b/$'c 'x style=position:fixed;inset:0;background:url(http://127.0.0.1:9999/beacon) onmouseover=document.title=1 id=pwned y')`,
  "[click](http://a.b/$`c 'x onclick=alert(1) y')",
  `[click](http://a.b/$&$& "title href=\\"javascript:alert(1)\\"")`,
  `![$' onload=alert(1) x](/user_uploads/2/ab/cdef/plan.txt '$\` onerror=alert(1)')`,
  '[x](javascript:alert(1)) [y](data:text/html,<script>alert(1)</script>) <javascript:alert(1)>',
  '<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>',
  "```spoiler <b onclick=alert(1)>$'\n<img src=x onerror=alert(1)>\n```",
  "```js onload=alert(1) $'\n</code></pre><script>alert(1)</script>\n```",
  '$$\\href{javascript:alert(1)}{x} \\htmlId{pwned}{y}$$ :tick: 👍 @**Person 11**',
  '| a | b |\n|:-:|--:|\n| $\' | "><b id=pwned> |',
  `http://a.b/?q=$'"onmouseover=alert(1) https://example.com/x.png?$&`,
]

/** The elements of pages, and their attributes; those of formulas are not listed. */
const allowed: Readonly<Record<string, string>> = {
  html: 'lang',
  head: '',
  meta: 'charset name content http-equiv',
  title: '',
  link: 'rel href',
  body: '',
  header: '',
  nav: 'aria-label class',
  main: '',
  h1: '',
  h2: 'class',
  h3: '',
  article: 'id',
  div: 'class aria-hidden data-code-language',
  span: 'class aria-hidden data-user-id data-user-group-id aria-label role title translate',
  a: 'href title class data-stream-id',
  img: 'class src alt width height loading title data-animated data-original-dimensions data-original-content-type',
  b: '',
  small: '',
  time: 'datetime',
  ul: 'class',
  ol: 'class start id',
  li: 'title',
  p: 'id role',
  strong: '',
  em: '',
  del: '',
  code: '',
  pre: '',
  blockquote: '',
  br: '',
  hr: '',
  table: '',
  thead: '',
  tbody: '',
  tr: '',
  th: 'class',
  td: 'class',
  // The search page has these.
  form: 'role',
  label: 'for',
  input: 'id type autocomplete autofocus aria-describedby',
  button: 'id type hidden',
  noscript: '',
  script: 'src',
}

describe('the pages of an archive of people who attack it', { skip: noChromium }, () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-archive-hostile-'))
  let browser: Browser
  let page: Page
  before(async () => {
    const files = { ...zulipExport() }
    const change = (
      path: string,
      act: (json: Record<string, Record<string, unknown>[]>) => void,
    ) => {
      const json = JSON.parse(String(files[path]))
      act(json)
      files[path] = JSON.stringify(json)
    }
    change('messages-000001.json', ({ zerver_message: messages = [] }) => {
      for (const [i, content] of attacks.entries())
        Object.assign(messages[40 + i] ?? {}, { content })
      Object.assign(messages[60] ?? {}, { subject: name.slice(0, 60) })
    })
    change('realm.json', (tables) => {
      for (const row of tables.zerver_userprofile ?? []) row.full_name = `${row.id} ${name}`
      for (const row of tables.zerver_stream ?? [])
        Object.assign(row, { name: `${row.id} ${name}`, description: name })
      for (const row of tables.zerver_realm ?? []) Object.assign(row, { name, description: name })
    })
    const imported = await importFiles(files)
    imported.db.$client.close()
    const shell = { out() {}, err() {}, errIsTerminal: false, env: {} }
    const file = join(root, 'archive.tar.gz')
    const args = ['export', file, '--format', 'archive', '--data', imported.folder]
    assert.equal(await runCli(args, shell as never), 0)
    execFileSync('tar', ['-xzf', file, '-C', root])
    rmSync(imported.folder, { recursive: true })
    browser = await openChromium()
    page = await newPage(browser, {})
  })
  after(async () => {
    await page.context().close()
    await closeChromium(browser)
    rmSync(root, { recursive: true, force: true })
  })

  test('have no element, attribute or address but those that the export writes', async () => {
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    const pages = paths
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
    assert.ok(pages.some(([, html]) => html.includes('http://a.b/')))
    const found = await page.evaluate(
      ([pages, allowed]) => {
        const wrong: string[] = []
        for (const [path, html] of pages) {
          const { documentElement } = new DOMParser().parseFromString(html, 'text/html')
          for (const element of [documentElement, ...documentElement.querySelectorAll('*')]) {
            if (element.closest('.katex math')) continue
            const tag = element.localName
            const known = allowed[tag]?.split(' ')
            if (!known) wrong.push(`${path}: <${tag}>`)
            for (const { name, value } of element.attributes) {
              const isWrong =
                !known?.includes(name) ||
                (name === 'id' && !/^(?:m\d+|words|help|status|results|more)$/.test(value)) ||
                (name === 'href' && /^(?!https?:|mailto:)[^/?#]*:/.test(value)) ||
                (name === 'src' && /^[^/]*:|^\/\//.test(value))
              if (isWrong) wrong.push(`${path}: <${tag} ${name}="${value}">`)
            }
          }
        }
        return wrong
      },
      [pages, allowed] as const,
    )
    assert.deepEqual([...new Set(found)].slice(0, 20), [])
  })
})
