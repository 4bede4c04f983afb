import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { updateUser } from '#features/foundation/users/queries.ts'
import { loadMessageHtml } from '#features/notifications/mail-notifications/message-html.ts'
import { plainText } from '#features/notifications/mail-notifications/source.ts'
import { upload } from '#test/support/files.ts'
import { requireMailHtml } from '#test/support/mail-html.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { type ReceivedMail, startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({ config: { smtpUrl: post.url } })
after(server.close)

const [owner, member] = [server.as('owner'), server.as('member')]
const mention = `@_**|${member.id}** @**|${member.id}**`

async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds * 1000)
  await server.settled()
}

/** The mails that came to the member by now, each once. */
function mails(): ReceivedMail[] {
  const got = post.take()
  for (const { html } of got) requireMailHtml(html)
  return got.filter(({ to }) => to.includes(member.email))
}

/** The only mail that came to the member once it was due. */
async function mail(): Promise<ReceivedMail> {
  await pass(120)
  const [one, ...more] = mails()
  assert.ok(one)
  assert.deepEqual(more, [])
  return one
}

const subject = ({ headers }: ReceivedMail) => decoded(headers.subject ?? '')

/** Headers with other letters are encoded as RFC 2047 says. */
function decoded(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) =>
      decodeURIComponent(
        text
          .replaceAll('_', ' ')
          .replace(/%/g, '%25')
          .replace(/=([0-9A-F]{2})/g, '%$1'),
      ),
    )
    .replace(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, text: string) => Buffer.from(text, 'base64').toString())
}

async function set(actor: Actor, settings: Record<string, unknown>): Promise<void> {
  const reply = await server.as(actor).patch('/settings', settings)
  assert.equal(reply.result, 'success', reply.msg)
}

/** The link to unsubscribe in a mail's header. */
const unsubscribeLink = ({ headers }: ReceivedMail) =>
  /<(.*)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? assert.fail()

afterEach(async () => {
  await pass(604_800)
  post.take()
})

describe('a mail about messages', () => {
  test('is sent 120 seconds after the first of them, with all of a conversation', async () => {
    await server.say('owner', ['owner', 'member'], '', 'First.')
    await pass(60)
    await server.say('owner', ['owner', 'member'], '', 'Second.')
    await pass(59)
    assert.deepEqual(mails(), [])
    await pass(1)
    const [one, ...more] = mails()
    assert.ok(one)
    assert.deepEqual(more, [])
    assert.equal(subject(one), 'DMs with Desdemona')
    assert.match(
      one.text,
      /^Desdemona:\nFirst\.\n\nSecond\.\n\n--\nYou get this email because you received direct/,
    )
    assert.match(one.text, new RegExp(`${server.url}/#narrow/dm/9,10-dm/near/`))
    assert.match(
      one.html,
      /Desdemona<\/p>\n<div>\n<p>First\.<\/p>\n<\/div>\n<div>\n<p>Second\.<\/p>/,
    )
    await pass(600)
    assert.deepEqual(mails(), [], 'once')
  })

  test('waits as long as the reader chose', async () => {
    await set('member', { email_notifications_batching_period_seconds: 300 })
    await server.say('owner', ['owner', 'member'])
    await pass(299)
    assert.deepEqual(mails(), [])
    await pass(1)
    assert.equal(mails().length, 1)
    await set('member', { email_notifications_batching_period_seconds: 120 })
  })

  const dropped: [string, (id: number) => Promise<unknown>][] = [
    [
      'was read',
      (id) => member.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
    ],
    ['was deleted', (id) => server.as('owner').del(`/messages/${id}`)],
    [
      'no longer mentions the reader',
      (id) => owner.patch(`/messages/${id}`, { content: 'Never mind.' }),
    ],
    [
      'is in a channel that the reader left',
      () => member.del('/users/me/subscriptions', { subscriptions: ['Denmark'] }),
    ],
  ]
  for (const [what, change] of dropped) {
    test(`is not sent if the message ${what} one second before`, async () => {
      const id = await server.say('owner', 'public', `dropped ${what}`, mention)
      await pass(119)
      // The mention made the reader follow the topic, which would be a reason of its own.
      await set('member', { enable_followed_topic_email_notifications: false })
      const reply = (await change(id)) as { result: string; msg: string }
      assert.equal(reply.result, 'success', reply.msg)
      await pass(60)
      assert.deepEqual(mails(), [])
      await set('member', { enable_followed_topic_email_notifications: true })
      await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'Denmark' }] })
    })
  }

  test('is not sent if the setting was turned off meanwhile', async () => {
    await server.say('owner', ['owner', 'member'])
    await set('member', { enable_offline_email_notifications: false })
    await pass(120)
    assert.deepEqual(mails(), [])
    await set('member', { enable_offline_email_notifications: true })
  })

  test('is one for each topic', async () => {
    await server.say('owner', 'public', 'lunch', mention)
    await server.say('owner', 'public', 'dinner', mention)
    await pass(120)
    assert.deepEqual(mails().map(subject), ['#Denmark > lunch', '#Denmark > dinner'])
  })

  test('shows what was said before a mention', async () => {
    await server.say('admin', 'public', 'context', 'Too early.')
    await pass(15 * 60 + 1)
    post.take()
    await server.say('admin', 'public', 'context', 'Who knows this?')
    await pass(60)
    await server.say('owner', 'public', 'context', mention)
    const { text } = await mail()
    assert.match(text, /^Iago:\nWho knows this\?\n\nDesdemona:\n/)
    assert.doesNotMatch(text, /Too early/)
  })

  test('shows a newcomer nothing of before they came, where the history is protected', async () => {
    const made = await owner.post<{ id: number }>('/channels/create', {
      name: 'inner circle',
      subscribers: [owner.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const write = (content: string) =>
      owner.post('/messages', { type: 'channel', to: made.id, topic: 'plans', content })
    await write('Only for us.')
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'inner circle' }],
      principals: [member.id],
      send_new_subscription_messages: false,
    })
    await write('For all of us.')
    await write(mention)
    const { text, html } = await mail()
    assert.match(text, /For all of us/)
    assert.doesNotMatch(text + html, /Only for us/)
  })

  test('keeps the thread when the topic is resolved', async () => {
    await server.say('owner', 'public', '✔ breakfast', mention)
    assert.equal(subject(await mail()), '[resolved] #Denmark > breakfast')
  })

  test('names the participants of a group', async () => {
    await server.say('owner', ['owner', 'member', 'admin', 'zoe', 'othello'])
    const named = subject(await mail())
    assert.match(named, /^Group DMs with .+, .+, and 2 others$/)
  })

  test('names the organization if the reader wants that', async () => {
    await set('member', { realm_name_in_email_notifications_policy: 2 })
    await server.say('owner', ['owner', 'member'])
    assert.match(subject(await mail()), / \[.+\]$/)
    await set('member', { realm_name_in_email_notifications_policy: 1 })
  })

  const hiding: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'the reader',
      () => set('member', { message_content_in_email_notifications: false }),
      () => set('member', { message_content_in_email_notifications: true }),
    ],
    [
      'the organization',
      () => owner.patch('/realm', { message_content_allowed_in_email_notifications: false }),
      () => owner.patch('/realm', { message_content_allowed_in_email_notifications: true }),
    ],
  ]
  for (const [who, hide, show] of hiding) {
    test(`says nothing of the message if ${who} turned that off`, async () => {
      await hide()
      await server.say('owner', 'public', 'surprise', `${mention} shibboleth`)
      const one = await mail()
      assert.equal(subject(one), 'New messages')
      const whole = JSON.stringify(one).replaceAll(member.email, '')
      assert.doesNotMatch(whole, /shibboleth|surprise|Denmark|Desdemona|narrow/i)
      await show()
    })
  }

  test('shows the newest fifty messages, and says how many it leaves out', async () => {
    for (let i = 0; i < 52; i++) await server.say('owner', ['owner', 'member'], '', `Number ${i}.`)
    const { text, html } = await mail()
    assert.match(
      text,
      /^Earlier messages that this email does not show: 2\.\n\nDesdemona:\nNumber 2\./,
    )
    assert.doesNotMatch(html, /Number 1\./)
    assert.match(html, /Number 51\./)
  })

  test('shows what messages can hold, and loads nothing from anywhere', async () => {
    const picture = await upload(server, 'owner', 'cat.txt')
    const content = [
      `${mention} [the cat](${picture}) #**Denmark** :octopus: $$x^2$$ <b>raw</b>`,
      '```spoiler The end',
      'They die.',
      '```',
      'https://example.com/dog.png',
    ]
    await server.say('owner', 'public', 'everything', content.join('\n'))
    const { html, text } = await mail()
    assert.ok(html.includes(`<a href="${server.url}${picture}">the cat</a>`), html)
    assert.ok(
      html.includes('🐙') && html.includes('<code>x^2</code>') && html.includes('&lt;b&gt;'),
    )
    assert.ok(/href="http[^"]*\/#narrow\/channel\/\d+-Denmark"/.test(html))
    assert.match(html, /<a href="https:\/\/example\.com\/dog\.png">/)
    assert.match(html, /The end/)
    assert.doesNotMatch(html + text, /They die/)
  })

  test('cannot be given headers by a name', async () => {
    // A name from before the rules for names.
    await server.server.context.store.write((tx) => {
      updateUser(tx, server.ids.zoe, { fullName: 'Eve\u202e Bcc a' })
    })
    await server.say('zoe', ['zoe', 'member'])
    assert.equal(subject(await mail()), 'DMs with Eve  Bcc a')
  })

  test('is no automatic answer to answer, and names its list', async () => {
    await server.say('owner', ['owner', 'member'])
    const { headers } = await mail()
    assert.equal(headers['auto-submitted'], 'auto-generated')
    assert.equal(headers['x-auto-response-suppress'], 'All')
    assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    assert.match(headers['list-id'] ?? '', /^<messages\..+>$/)
  })

  test('is sent later if the mail server cannot take it now, and given up if it refuses', async () => {
    post.refuse({ message: '451 later' })
    await server.say('owner', ['owner', 'member'])
    await pass(120)
    post.refuse({})
    await pass(60)
    assert.equal(mails().length, 1)
    post.refuse({ recipient: '550 nobody' })
    await server.say('owner', ['owner', 'member'])
    await pass(120)
    post.refuse({})
    await pass(3600)
    assert.deepEqual(mails(), [])
  })
})

describe('unsubscribing', () => {
  const setting = async () => {
    const reply = await member.post<{ user_settings: Record<string, unknown> }>('/register', {
      event_types: ['nothing'],
      fetch_event_types: ['user_settings'],
      client_capabilities: { notification_settings_null: true, user_settings_object: true },
    })
    return reply.user_settings.enable_offline_email_notifications
  }

  test('takes a request that programs which look at links do not make', async () => {
    await server.say('owner', ['owner', 'member'])
    const link = unsubscribeLink(await mail())
    const page = await fetch(link)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<button>Unsubscribe<\/button>/)
    assert.equal(await setting(), true)
    for (let i = 0; i < 2; i++) {
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
      assert.equal((await fetch(link, { method: 'POST', body })).status, 200)
      assert.equal(await setting(), false)
    }
    await set('member', { enable_offline_email_notifications: true })
  })

  test('takes the key of the account', async () => {
    await server.say('owner', ['owner', 'member'])
    const link = unsubscribeLink(await mail())
    const forged = [
      link.replace(`/${member.id}-`, `/${owner.id}-`),
      link.replace(/.\/$/, (end) => (end === '0/' ? '1/' : '0/')),
      `${server.url}/accounts/unsubscribe/missed_messages/x/`,
    ]
    for (const wrong of forged) {
      assert.equal((await fetch(wrong)).status, 404)
      assert.equal((await fetch(wrong, { method: 'POST' })).status, 404)
    }
    assert.equal(await setting(), true)
  })
})

test('the source of a message as plain text', () => {
  const source = [
    'See [it](/user_uploads/1/x.png)',
    '````quote',
    'old',
    '```spoiler The end',
    'They die.',
    '```',
    '````',
    '```js',
    '```quote',
    '```',
    'Right.',
  ]
  assert.equal(
    plainText(source.join('\n'), 'https://chat.example'),
    [
      'See [it](https://chat.example/user_uploads/1/x.png)',
      '> old',
      '> The end (hidden)',
      '```js',
      '```quote',
      '```',
      'Right.',
    ].join('\n'),
  )
})

// biome-ignore format: a table reads best in columns
const named: [source: string, text: string][] = [
  ['@_**Iago|11** has marked this topic as resolved.', '@Iago has marked this topic as resolved.'],
  ['@**King Hamlet** and @_*helpers* and @**all**', '@King Hamlet and @helpers and @all'],
  ['see #**design>icons** in #**design**', 'see #design > icons in #design'],
  ['typed `@**Iago|11**`, not called', 'typed `@**Iago|11**`, not called'],
  ['```\n@**Iago**\n```\n@**Iago**', '```\n@**Iago**\n```\n@Iago'],
  ['**bold** and 2 * 3 * 4', '**bold** and 2 * 3 * 4'],
]
for (const [source, text] of named) {
  test(`the plain text of ${JSON.stringify(source)} has names as people read them`, () => {
    assert.equal(plainText(source, 'https://chat.example'), text)
  })
}

// biome-ignore format: a table reads best in columns
const long: [name: string, line: string][] = [
  ['blanks before a line separator',        `\`\`\`${' '.repeat(10_000)}\u2028${' '.repeat(10_000)}x`],
  ['a run of backticks',                    `x${'`'.repeat(9_990)}`],
  ['runs of backticks, each of another size', Array.from({ length: 138 }, (_, i) => '`'.repeat(i + 1)).join(' ')],
  ['mentions that do not end', `@**${'Iago '.repeat(1_500)}`],
]
for (const [name, line] of long) {
  test(`the plain text of ${name} is the text as it is`, () => {
    assert.equal(plainText(line, 'https://chat.example'), line)
  })
}

describe('the HTML of a message for a mail', () => {
  const url = 'https://chat.example'
  // biome-ignore format: a table reads best in columns
  const table: [string, string, string][] = [
    ['a picture alone is a link',
      '<div class="message_inline_image"><a href="/user_uploads/1/x%20y.png"><img src="/thumb.webp"></a></div>',
      `<p><a href="${url}/user_uploads/1/x%20y.png">x y.png</a></p>`],
    ['a preview beside its link is left out',
      '<p><a href="/a.png">it</a></p>\n<div class="message_inline_image"><a href="/a.png"><img src="/t.webp"></a></div>',
      `<p><a href="${url}/a.png">it</a></p>`],
    ['a picture in a line is a link',
      '<p><img alt="cat" class="inline-image" data-original-src="/user_uploads/1/c.png" src="/t.webp"></p>',
      `<p><a href="${url}/user_uploads/1/c.png">cat</a></p>`],
    ['a custom emoji is its name', '<p><img alt=":tick:" class="emoji" src="/x.png" title="tick"></p>', '<p>:tick:</p>'],
    ['a flag is two characters', '<span class="emoji emoji-1f1e9-1f1ea" role="img">:de:</span>', '🇩🇪'],
    ['a time is in the zone of the reader', '<time datetime="2026-03-07T23:00:00Z">x</time>', '7 March 2026 at 15:00:00 GMT-8'],
    ['code has no colors', '<div class="codehilite"><pre><span></span><code><span class="k">if</span> a</code></pre></div>', '<pre><code>if a</code></pre>'],
    ['a list goes on counting', '<ol start="3">\n<li>c</li>\n</ol>', '<ol start="3">\n<li>c</li>\n</ol>'],
    ['other schemes are no links', '<a href="javascript:alert(1)">x</a>', 'x'],
    ['nothing that runs is left', '<p onclick="a()" style="x">a<script>b</script><svg><text>c</text></svg><custom>d</custom></p>', '<p>ad</p>'],
  ]
  for (const [what, rendered, expected] of table) {
    test(what, async () => {
      const toMailHtml = await loadMessageHtml()
      const reader = { language: { language: 'en' }, timezone: 'America/Los_Angeles' }
      assert.equal(toMailHtml(rendered, url, reader), expected)
    })
  }

  test('what is converted for one reader has the times of the next in their zone', async () => {
    const toMailHtml = await loadMessageHtml()
    const time = '<time datetime="2026-03-07T23:00:00Z">x</time>'
    const inZone = (timezone: string) =>
      toMailHtml(time, url, { language: { language: 'en' }, timezone })
    assert.match(inZone('America/Los_Angeles'), /15:00/)
    assert.match(inZone('UTC'), /23:00/)
    assert.match(inZone('America/Los_Angeles'), /15:00/)
    // Not the address of another server either.
    const picture = '<img alt="cat" data-original-src="/user_uploads/1/c.png">'
    const reader = { language: { language: 'en' }, timezone: '' }
    assert.match(toMailHtml(picture, url, reader), /chat\.example/)
    assert.match(toMailHtml(picture, 'https://other.example', reader), /other\.example/)
  })
})
