import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLinkifier, reversesExample } from '#platform/markdown/linkifiers.ts'
import { channelUrl, directMessagesUrl, messageUrl, topicUrl } from '#platform/markdown/links.ts'
import { topicLinks } from '#platform/markdown/render.ts'
import { encodeHashComponent, linkMarkdown } from '#shared/place-links.ts'
import { html, rendered } from './markdown.ts'

type Row = [what: string, source: string, expected: string]

function each(rows: readonly Row[]): void {
  for (const [what, source, expected] of rows) {
    test(what, () => assert.equal(html(source, { previewsEnabled: false }), `<p>${expected}</p>`))
  }
}

const link = (href: string, text = href) => `<a href="${href}">${text}</a>`

describe('links', () => {
  each([
    [
      'have a text and an address',
      '[a *b*](https://x.org/c)',
      link('https://x.org/c', 'a <em>b</em>'),
    ],
    ['show their address when they have no text', '[ ](https://x.org)', link('https://x.org')],
    ['may have a title', '[a](https://x.org "T")', '<a href="https://x.org" title="T">a</a>'],
    [
      'may have brackets in both parts',
      '[a [b]](x.org/c_(d))',
      link('http://x.org/c_(d)', 'a [b]'),
    ],
    ['may have spaces in the address', '[a](<x.org/b c>)', link('http://x.org/b%20c', 'a')],
    ['have their entities undone', '[a](x.org?b&amp;c)', link('http://x.org?b&amp;c', 'a')],
    [
      'do not hold links or mentions',
      '[x.org @**Desdemona**](y.org)',
      link('http://y.org', 'x.org @<strong>Desdemona</strong>'),
    ],
    [
      'without a scheme lead to the web',
      '[a](x.org) [b](localhost:80/c)',
      `${link('http://x.org', 'a')} ${link('http://localhost:80/c', 'b')}`,
    ],
    ['with an @ are mail', '[a](b@x.org)', link('mailto:b@x.org', 'a')],
    [
      'to phones',
      '[a](tel:+14155551234) [b](sms:+14155551234)',
      `${link('tel:+14155551234', 'a')} ${link('sms:+14155551234', 'b')}`,
    ],
    [
      'inside this server stay there',
      '[a](#narrow/channel/2-general) [b](/user_uploads/1/2)',
      `${link('/#narrow/channel/2-general', 'a')} ${link('/user_uploads/1/2', 'b')}`,
    ],
    [
      'to this server by its name become relative',
      '[a](https://chat.example.com/#narrow/dm/8-dm) https://chat.example.com/user_uploads/2/ab/x.pdf',
      `${link('/#narrow/dm/8-dm', 'a')} ${link('/user_uploads/2/ab/x.pdf', 'https://chat.example.com/user_uploads/2/ab/x.pdf')}`,
    ],
    [
      'to pages of this server stay as they are',
      'https://chat.example.com/help',
      link('https://chat.example.com/help'),
    ],
    ['by reference do not exist', '[a][b]\n[b]: x', '[a][b]<br>\n[b]: x'],
    ['need an address', '[a]() [b]', '[a]() [b]'],
  ])
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'javascript://x.example/%0aalert(1)',
    'vbscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'itms://x',
    'http:',
    'https://',
  ]) {
    test(`[a](${address}) is text`, () =>
      assert.equal(html(`[a](${address})`), `<p>[a](${address})</p>`))
  }
})

describe('addresses in the text', () => {
  const linked: [source: string, href: string][] = [
    ['https://x.org', 'https://x.org'],
    ['http://localhost:9991/?a=b#c', 'http://localhost:9991/?a=b#c'],
    ['http://10.0.0.1:80/a', 'http://10.0.0.1:80/a'],
    ['http://[::1]:80/a', 'http://[::1]:80/a'],
    ['x.org', 'http://x.org'],
    ['a.b.x.org/c', 'http://a.b.x.org/c'],
    ['X.ORG', 'http://X.ORG'],
    ['bücher.de', 'http://bücher.de'],
    ['例え.jp/あ', 'http://例え.jp/あ'],
    ['x.museum', 'http://x.museum'],
    ['https://x.org/a_(b(c))', 'https://x.org/a_(b(c))'],
    ['x.org/a:b,c;d', 'http://x.org/a:b,c;d'],
    ['a.b+c@x.org', 'mailto:a.b+c@x.org'],
    ['bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ]
  each(linked.map(([source, href]) => [source, source, link(href, source)]))
  each(
    ['.', ',', ':', '!?', ')', '"', "'", '>', '...'].map((sign) => [
      `followed by ${sign}`,
      `x.org${sign} y`,
      `${link('http://x.org', 'x.org')}${sign.replace('>', '&gt;')} y`,
    ]),
  )
  each(
    ['(', '"', "'", ',', ':', '['].map((sign) => [
      `after ${sign}`,
      `${sign}x.org`,
      `${sign}${link('http://x.org', 'x.org')}`,
    ]),
  )
  each([
    [
      'in emphasis',
      '**x.org** ~~https://y.org/a~~',
      `<strong>${link('http://x.org', 'x.org')}</strong> <del>${link('https://y.org/a')}</del>`,
    ],
    [
      'in parentheses, with some of their own',
      '(https://x.org/a_(b))',
      `(${link('https://x.org/a_(b)')})`,
    ],
    ['in angle brackets', '<https://x.org>', `&lt;${link('https://x.org')}&gt;`],
    [
      'after another scheme only by themselves',
      'javascript:x.org',
      `javascript:${link('http://x.org', 'x.org')}`,
    ],
  ])
  each(
    [
      'a.nodomain',
      'setup.py README.md x.zip',
      'e.g. i.e. love...it',
      'end.It',
      'x.org-a x.orga',
      'x.call()',
      '1.2.3.4 localhost:80',
      'ax//x.org =https://x.org',
      'a@b',
      'http://',
      'https://x.org/((((((((a))))))))',
      '`x.org`',
    ].map((text) => [`not ${text}`, text, text.replace(/`(.*)`/, '<code>$1</code>')]),
  )
})

describe('a server on a person’s own machine is itself by each of its names', () => {
  // biome-ignore format: a table reads best in columns
  const table: [url: string, isOwn: boolean][] = [
    ['http://127.0.0.1:9991',   true],
    ['http://localhost:9991',   true],
    ['http://[::1]:9991',       true],
    ['http://localhost:9992',   false],
    ['http://localhost',        false],
    ['http://localhost.x:9991', false],
    ['http://192.168.1.2:9991', false],
  ]
  for (const [url, isOwn] of table) {
    test(`${url} is ${isOwn ? 'its own' : 'another'}`, () => {
      const lookups = { realmUrl: 'http://127.0.0.1:9991' }
      const [, href] = /href="([^"]*)"/.exec(html(`[a](${url}/#narrow/dm/8-dm)`, lookups)) ?? []
      assert.equal(href, `${isOwn ? '' : url}/#narrow/dm/8-dm`)
    })
  }
  test('one with a name is not on the machine', () => {
    const source = '[a](http://localhost/#narrow/dm/8-dm)'
    const lookups = { realmUrl: 'https://chat.example.com' }
    assert.match(html(source, lookups), /href="http:\/\/localhost\/#narrow/)
  })
})

describe('what a message links', () => {
  test('is told, uploads by their path ids', () => {
    const { links } = rendered(
      '[a](/user_uploads/2/ab/Kq/paper.pdf) https://chat.example.com/user_uploads/2/cd/a%20b.txt [b](/user_uploads/2/ab/Kq/paper.pdf?x)',
    )
    assert.deepEqual(links, {
      hasLink: true,
      hasImage: false,
      uploads: ['2/ab/Kq/paper.pdf', '2/cd/a b.txt'],
      pages: [],
    })
  })
  test('is nothing for mentions and code', () => {
    const { links } = rendered('@**Desdemona** `x.org` #**no such channel**')
    assert.deepEqual(links, { hasLink: false, hasImage: false, uploads: [], pages: [] })
  })
  test('includes places in the organization', () => {
    const places = ['#**general**', '#**general>plans**', '#**general>plans@7**']
    const hasLink = (text: string) => rendered(text).links.hasLink
    assert.deepEqual(places.map(hasLink), [true, true, true])
  })
  test('includes links that only a linkifier makes', () => {
    const linkifiers = [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://x.org/{id}' }]
    const hasLink = (text: string) => rendered(text, { linkifiers }).links.hasLink
    assert.deepEqual([hasLink('See #12.'), hasLink('See #none.')], [true, false])
  })
  test('is a picture also where no previews are shown', () => {
    const { links } = rendered('https://x.org/a.png', { previewsEnabled: false })
    assert.equal(links.hasImage, true)
  })
})

describe('linkifiers', () => {
  const linkifiers = [
    { id: 1, pattern: 'django#(?P<id>[0-9]+)', urlTemplate: 'https://x.org/d/{id}' },
    {
      id: 2,
      pattern: '(?P<repo>[a-z-]*)#(?P<id>[0-9]+)',
      urlTemplate: 'https://x.org/{repo}/{id}',
    },
    { id: 3, pattern: 'find:(?P<q>\\w+)?', urlTemplate: 'https://x.org/find{?q}' },
    { id: 4, pattern: 'doc/(?P<page>[a-z/]+)', urlTemplate: 'https://x.org/{+page}' },
    { id: 5, pattern: 'evil:(?P<x>\\w+)', urlTemplate: 'javascript:{x}' },
    { id: 6, pattern: '((broken', urlTemplate: 'https://x.org' },
  ]
  const rows: Row[] = [
    ['fill in their template', 'see abc#12.', `see ${link('https://x.org/abc/12', 'abc#12')}.`],
    [
      'the first that matches wins',
      'django#1 ab#2',
      `${link('https://x.org/d/1', 'django#1')} ${link('https://x.org/ab/2', 'ab#2')}`,
    ],
    [
      'may have optional groups',
      'find: find:a',
      `${link('https://x.org/find', 'find:')} ${link('https://x.org/find?q=a', 'find:a')}`,
    ],
    ['encode unless told not to', 'doc/a/b', link('https://x.org/a/b', 'doc/a/b')],
    ['match whole words', '#1a x_#2 é#3', '#1a x_#2 é#3'],
    [
      'match after punctuation and in emphasis',
      '(#1) **#2** "#3"',
      `(${link('https://x.org//1', '#1')}) <strong>${link('https://x.org//2', '#2')}</strong> "${link('https://x.org//3', '#3')}"`,
    ],
    [
      'match one after the other',
      '#1 #2,#3',
      `${link('https://x.org//1', '#1')} ${link('https://x.org//2', '#2')},${link('https://x.org//3', '#3')}`,
    ],
    [
      'match over emoji, not in code, links and addresses',
      '`#1` [#2](https://x.org) https://x.org/#3',
      `<code>#1</code> ${link('https://x.org', '#2')} ${link('https://x.org/#3')}`,
    ],
    ['lead only where links may lead', 'evil:a', 'evil:a'],
  ]
  for (const [what, source, expected] of rows) {
    test(what, () => assert.equal(html(source, { linkifiers }), `<p>${expected}</p>`))
  }

  test('are checked before they are kept', () => {
    const checks: [pattern: string, urlTemplate: string, answer: string][] = [
      ['#(?P<id>[0-9]+)', 'https://x.org/{id}', 'ok'],
      ['(?P<a>a)|(?<b>b)', 'https://x.org/{+a}{?b*,a:3}', 'ok'],
      ['#[0-9]+', 'https://x.org/', 'ok'],
      ['#(?P<id>', 'https://x.org/{id}', 'bad pattern'],
      ['(?P<id>a(?=b))', 'https://x.org/{id}', 'bad pattern'],
      ['(?P<id>a)\\1', 'https://x.org/{id}', 'bad pattern'],
      ['(?P<id>a)', 'https://x.org/{id', 'bad template'],
      ['(?P<id>a)', 'https://x.org/{id}}', 'bad template'],
      ['(?P<id>a)', 'https://x.org/{}{id}', 'bad template'],
      ['(?P<id>a)', 'javascript:{id}', 'bad template'],
      ['(?P<id>a)', 'data:text/html,{id}', 'bad template'],
      ['(?P<id>a)', 'https:{id}', 'bad template'],
      ['(?P<id>a)', 'mailto:{id}@x.org', 'ok'],
      ['(?P<id>a)', 'x.org:8080/{id}', 'ok'],
      ['(?P<id>a)', 'https://x.org/{other}', 'names differ'],
      ['(?P<id>a)(?P<more>b)', 'https://x.org/{id}', 'names differ'],
    ]
    for (const [pattern, urlTemplate, answer] of checks) {
      assert.equal(checkLinkifier({ pattern, urlTemplate }), answer, `${pattern} ${urlTemplate}`)
    }
  })

  test('can be undone when their template for it gives the example back', () => {
    const linkifier = {
      pattern: '(?P<repo>[a-z]*)#(?P<id>[0-9]+)',
      urlTemplate: 'x.org/{repo}/{id}',
    }
    assert.equal(reversesExample(linkifier, '{repo}#{id}', 'abc#12'), true)
    assert.equal(reversesExample(linkifier, '{repo}#{id}', '#12'), true)
    assert.equal(reversesExample(linkifier, '#{id}', 'abc#12'), false)
    assert.equal(reversesExample(linkifier, '{repo}#{id}', 'see abc#12'), false)
    assert.equal(reversesExample(linkifier, '{repo}#{other}', 'abc#{other}'), false)
  })

  test('link topics too, with addresses, in the order of the topic', () => {
    assert.deepEqual(topicLinks('x.org and #12, again https://y.org/#3 :tada:', { linkifiers }), [
      { text: 'x.org', url: 'https://x.org' },
      { text: '#12', url: 'https://x.org//12' },
      { text: 'https://y.org/#3', url: 'https://y.org/#3' },
    ])
    assert.deepEqual(topicLinks('plans', { linkifiers }), [])
  })
})

test('links inside the app survive every mail and chat program', () => {
  const channel = { id: 9, name: 'Sea & shore (2.0)!' }
  const slug = '9-Sea-.26-shore-.282.2E0.29.21'
  assert.equal(encodeHashComponent("a%b'c*"), 'a.25b.27c.2A')
  assert.equal(channelUrl(channel), `/#narrow/channel/${slug}`)
  assert.equal(topicUrl(channel, 'ü?'), `/#narrow/channel/${slug}/topic/.C3.BC.3F`)
  assert.equal(messageUrl(channel, '', 5), `/#narrow/channel/${slug}/topic//near/5`)
  assert.equal(directMessagesUrl([31, 8]), '/#narrow/dm/8,31-dm')
  assert.equal(directMessagesUrl([31, 8, 10], 5), '/#narrow/dm/8,10,31-group/near/5')
})

test('a link to a place that the server or the compose box writes leads there, whatever its name', () => {
  const odd = [
    '**',
    'a ** b',
    '@**Zoe**',
    '#**Verona**',
    'x**',
    'a*b*c',
    'a > b',
    'st*ar',
    'a`b`',
    '$$x$$',
  ]
  const more = [
    '[a](b)',
    '&amp;',
    'v1.2@34',
    ':smile:',
    '~~x~~',
    '<time:2026-01-01>',
    'a\\',
    'plain',
    '日本',
    '',
  ]
  for (const topic of [...odd, ...more]) {
    for (const name of [...odd, 'general']) {
      const channel = { id: 2, name }
      const channelByName = (asked: string) => (asked === name ? channel : undefined)
      const options = { channelByName, newestInTopic: () => undefined }
      for (const place of [undefined, topic]) {
        const source = `Moved to ${linkMarkdown(channel, place, 'general chat')} by @_**Desdemona|8**.`
        const made = html(source, options)
        const url = place === undefined ? channelUrl(channel) : topicUrl(channel, place)
        assert.equal(made.match(/<a /g)?.length, 1, source)
        assert.ok(
          made.includes(`href="${url}"`) || made.includes(`href="${url.slice(1)}"`),
          `${source} ${made}`,
        )
        assert.ok(made.includes('data-user-id="8"'), source)
        assert.ok(
          !/<(strong|em|code|del|time|img)\b/.test(made.replace('<em>general chat</em>', '')),
          made,
        )
      }
    }
  }
})
