import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './markdown.ts'

const file = (name: string) => `/user_uploads/2/ab/Kq/${name}`
const picture = (href: string, image: string, title = '') =>
  `<div class="message_inline_image"><a href="${href}"${title && ` title="${title}"`}>${image}</a></div>`
const foreign = (url: string, title = '') => picture(url, `<img src="${url}">`, title)
const known = 'data-original-content-type="image/png" data-original-dimensions="1200x800"'
const thumbnail = `${file('cat.png').replace('uploads', 'uploads/thumbnail')}/840x560.webp`
const video = (href: string, title: string) =>
  `<div class="message_inline_image message_inline_video"><a href="${href}" title="${title}">` +
  `<video preload="metadata" src="${href}"></video></a></div>`
const a = 'https://x.org/a.png'
const b = 'https://x.org/b.JPG?c'
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`

const rows: [what: string, source: string, expected: string][] = [
  [
    'an uploaded picture stands in place of its name',
    `[cat.png](${file('cat.png')})`,
    picture(file('cat.png'), `<img ${known} src="${thumbnail}">`, 'cat.png'),
  ],
  [
    'one whose thumbnails are not made yet has a placeholder',
    `[new.png](${file('new.png')})`,
    picture(
      file('new.png'),
      `<img class="image-loading-placeholder" ${known} src="/static/images/loading/loader-black.svg">`,
      'new.png',
    ),
  ],
  [
    'a moving one says so',
    `[x](${file('moving.gif')})`,
    `<p>${link(file('moving.gif'), 'x')}</p>\n${picture(
      file('moving.gif'),
      '<img data-animated="true" data-original-content-type="image/gif" src="/user_uploads/thumbnail/2/ab/Kq/moving.gif/840x560-anim.webp">',
      'x',
    )}`,
  ],
  [
    'an uploaded video follows its name',
    `[film.mp4](${file('film.mp4')})`,
    `<p>${link(file('film.mp4'), 'film.mp4')}</p>\n${video(file('film.mp4'), 'film.mp4')}`,
  ],
  [
    'other uploads have none',
    `[p](${file('paper.pdf')})`,
    `<p>${link(file('paper.pdf'), 'p')}</p>`,
  ],
  ['unknown uploads have none', `[p](${file('x.png')})`, `<p>${link(file('x.png'), 'p')}</p>`],
  ['a foreign picture stands in place of its address', a, foreign(a)],
  ['one in a text follows it', `see ${a}`, `<p>see ${link(a)}</p>\n${foreign(a)}`],
  [
    'several stand in a row, and the next paragraph after them',
    `${a}\n[b](${b})\n\nc`,
    `<p>${link(a)}<br>\n${link(b, 'b')}</p>\n${foreign(a)}${foreign(b, 'b')}<p>c</p>`,
  ],
  ['each address has one', `${a} ${a}`, `<p>${link(a)} ${link(a)}</p>\n${foreign(a)}`],
  [
    'in a list item they come last',
    `* ${a}\n* b ${b}\n  * c`,
    `<ul>\n<li>${foreign(a)}</li>\n<li>b ${link(b)}<ul>\n<li>c</li>\n</ul>\n${foreign(b)}</li>\n</ul>`,
  ],
  ['quotes have none', `> ${a}`, `<blockquote>\n<p>${link(a)}</p>\n</blockquote>`],
  [
    'a foreign video',
    '[v](https://x.org/v.mp4)',
    `<p>${link('https://x.org/v.mp4', 'v')}</p>\n${video('https://x.org/v.mp4', 'v')}`,
  ],
  [
    'a YouTube video',
    'https://www.youtube.com/watch?t=1&v=aqz-KE-bpKQ',
    '<p><a href="https://www.youtube.com/watch?t=1&amp;v=aqz-KE-bpKQ">https://www.youtube.com/watch?t=1&amp;v=aqz-KE-bpKQ</a></p>\n' +
      '<div class="youtube-video message_inline_image"><a data-id="aqz-KE-bpKQ" href="https://www.youtube.com/watch?t=1&amp;v=aqz-KE-bpKQ">' +
      '<img src="https://i.ytimg.com/vi/aqz-KE-bpKQ/mqdefault.jpg"></a></div>',
  ],
  [
    'an uploaded picture may stand in the text',
    `a ![c"t](${file('cat.png')}) b`,
    `<p>a <img alt="c&quot;t" class="inline-image" ${known} data-original-src="${file('cat.png')}" src="${thumbnail}"> b</p>`,
  ],
  [
    'and a sound',
    `![song.mp3](${file('song.mp3')}) ![](${file('song.mp3')})`,
    `<p><audio controls preload="metadata" src="${file('song.mp3')}" title="song.mp3"></audio> ` +
      `<audio controls preload="metadata" src="${file('song.mp3')}"></audio></p>`,
  ],
  ['but nothing foreign', '![x](https://x.org/x)', `<p>!${link('https://x.org/x', 'x')}</p>`],
]

for (const [what, source, expected] of rows) {
  test(what, () => assert.equal(html(source), expected))
}

test('a message has at most 24', () => {
  const source = Array.from({ length: 30 }, (_, i) => `https://x.org/${i}.png`).join(' ')
  assert.equal(html(source).match(/<img/g)?.length, 24)
})

test('an organization may have none', () => {
  assert.equal(html(a, { previewsEnabled: false }), `<p>${link(a)}</p>`)
})

test('foreign content comes through the proxy, if there is one', () => {
  const externalContent = (url: string) => (url.includes('b.') ? undefined : `/proxy/${url.length}`)
  assert.equal(html(a, { externalContent }), picture(a, '<img src="/proxy/19">'))
  assert.equal(html(b, { externalContent }), `<p>${link(b)}</p>`)
  const own = 'https://chat.example.com/static/a.png'
  assert.equal(html(own, { externalContent }), foreign(own))
})
