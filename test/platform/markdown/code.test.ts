import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { problemsOf } from '#test/support/client-html.ts'
import { html } from './markdown.ts'

const block = (code: string, language = '') =>
  `<div class="codehilite"${language && ` data-code-language="${language}"`}>` +
  `<pre><span></span><code>${code}</code></pre></div>`

const plain = (shown: string) => shown.replace(/<span class="[\w ]+">|<\/span>(?!<code>)/g, '')

describe('blocks of code', () => {
  const rows: [what: string, source: string, expected: string][] = [
    ['by backticks or tildes', '```\na\n```\n~~~~\nb\n~~~~', `${block('a\n')}\n${block('b\n')}`],
    ['end with exactly their fence', '````\n```\na\n~~~~\n````', block('```\na\n~~~~\n')],
    ['not closed, reach to the end', '```\na\n\n> b', block('a\n\n&gt; b\n')],
    ['by four spaces', '    a\n\n      b\nc', `${block('a\n\n  b\n')}\n<p>c</p>`],
    ['not by four spaces within a paragraph', 'a\n    b', '<p>a<br>\n    b</p>'],
    [
      'are not rendered',
      '```\n*a* <b> & "c" \'d\' @**all**\n```',
      block('*a* &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; @**all**\n'),
    ],
    [
      'lose blank lines around and spaces behind',
      '```\n\n  a  \n\nb\t\n\n```',
      block('  a\n\nb\n'),
    ],
    ['keep tabs within', '```\n\ta\tb\n```', block('\ta\tb\n')],
    ['may be empty', '```\n```', block('\n')],
    ['part paragraphs', 'a\n```\nb\n```\nc', `<p>a</p>\n${block('b\n')}\n<p>c</p>`],
    ['of a language that nobody knows', '```fooish\na\n```', block('a\n', 'fooish')],
    ['of one with strange signs', '```"<b>\na\n```', block('a\n')],
    [
      'in curly braces or after a dot',
      '```{.fooish}\na\n```\n~~~ .fooish\na\n~~~',
      `${block('a\n', 'fooish')}\n${block('a\n', 'fooish')}`,
    ],
    ['of plain text', '```text\na\n```', block('a\n', 'Text only')],
    ['with backticks in the first line are inline', '```a```', '<p><code>a</code></p>'],
  ]
  for (const [what, source, expected] of rows) {
    test(what, () => assert.equal(html(source), expected))
  }

  test('have the proper name of their language, whatever it is called', () => {
    const names = {
      py: 'Python',
      PY2: 'Python 2.x',
      js: 'JavaScript',
      'c++': 'C++',
      'c#': 'C#',
      latex: 'TeX',
      sh: 'Bash',
      'html+php': 'HTML+PHP',
      golang: 'Go',
    }
    for (const [short, name] of Object.entries(names)) {
      assert.equal(plain(html(`\`\`\`${short}\na\n\`\`\``)), block('a\n', name))
    }
  })

  test('have the default language unless they name one', () => {
    const changed = { defaultCodeLanguage: 'python' }
    assert.equal(plain(html('```\na\n```', changed)), block('a\n', 'Python'))
    assert.equal(html('```text\na\n```', changed), block('a\n', 'Text only'))
    assert.equal(html('    a', changed), block('a\n'))
  })
})

describe('highlighting', () => {
  test('is in classes that clients know, and changes no text', () => {
    const source =
      'class Greeter:\n    """Greets."""\n    def hi(self, n=1):  # often\n        return f"hi {n + 1}" * 2\n'
    const shown = html(`\`\`\`python\n${source}\`\`\``)
    assert.deepEqual(problemsOf(shown), [])
    assert.equal(plain(shown), block(source.replaceAll('"', '&quot;'), 'Python'))
    for (const token of ['k">class', 'nc">Greeter', 'nf">hi', 'c"># often', 'm">1']) {
      assert.ok(shown.includes(`<span class="${token}</span>`), token)
    }
  })

  test('goes by the first line of a script that names no language', () => {
    assert.match(
      html('```\n#!/usr/bin/env python3\nimport os\n```'),
      /<code>.*<span class="k">import<\/span>/s,
    )
    assert.match(html('```\n#!/bin/sh\nif x\n```'), /<span class="k">if<\/span>/)
    assert.equal(html('```\n#! x\n```'), block('#! x\n'))
  })

  test('works for embedded languages', () => {
    const shown = html('```html\n<p class="a">b</p><script>let c = 1</script>\n```')
    assert.match(shown, /<span class="nt">p<\/span>/)
    assert.match(shown, /<span class="k">let<\/span>/)
  })

  test('leaves alone what is too long or unlike code', () => {
    const statement = 'let a = 1\n'
    assert.doesNotMatch(html(`\`\`\`js\n${statement.repeat(500)}\n\`\`\``), /<span class/)
    assert.doesNotMatch(html(`\`\`\`js\nlet a = ${'1'.repeat(400)}\n\`\`\``), /<span class/)
    assert.match(html(`\`\`\`js\n${statement.repeat(20)}\n\`\`\``), /<span class="k">let/)
  })
})
