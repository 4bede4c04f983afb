import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pagePaths } from '#features/web/help/contents.ts'
import { loadHelp } from '#features/web/help/library.ts'
import { oldTargets } from '#features/web/help/old-names.ts'
import { renderHelp } from '#features/web/help/rendering.ts'
import { searchHelp } from '#features/web/help/searching.ts'
import { helpText } from '#test/support/help.ts'
import { startServer } from '#test/support/server.ts'
import { listTexts } from '../../../../.build/texts-of.ts'

const server = await startServer()
after(server.close)
const pages = await loadHelp()
const get = (path: string) => server.fetch(path)

describe('the pages of the help centre', () => {
  test('are all listed, each once', () => {
    const folder = new URL('../../../../src/features/web/help/pages/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace(/\.md$/, ''))
    assert.deepEqual(files.sort(), [...pagePaths].sort())
  })

  test('lead only to what is there: pages, headings, and addresses of the server', async () => {
    const anchors = new Map(
      pages.map(({ parts, path }) => [path, parts.map(({ anchor }) => anchor)]),
    )
    for (const { html, path } of pages) {
      for (const [, href = ''] of html.matchAll(/<a href="([^"]*)"/g)) {
        if (/^(https?:|mailto:)/.test(href)) continue
        const [address = '', anchor = ''] = href.split('#')
        const target = address === '' ? path : address.replace(/^\/help\//, '')
        if (address !== '' && !address.startsWith('/help/')) {
          assert.notEqual((await get(address)).status, 404, `${path}: ${href}`)
          continue
        }
        assert.ok(anchors.get(target)?.includes(anchor), `${path}: ${href}`)
      }
    }
  })

  test('are shown to everyone, with a policy that runs only the script of the search', async () => {
    const answer = await get('/help/people/topics')
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers.get('content-security-policy')), /script-src 'self'/)
    assert.match(await answer.text(), /<h1>Topics<\/h1>/)
    assert.match(await (await get('/help/')).text(), /<a href="\/help\/operators\/settings">/)
    assert.equal((await get('/help/people/nothing')).status, 404)
  })
})

test('a page of several sections lists them beside its text, in their order', async () => {
  let listed = 0
  for (const { path, parts } of pages) {
    const text = await (await get(`/help/${path}`)).text()
    const contents = /<nav class="contents"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? ''
    const found = [...contents.matchAll(/<a href="#([^"]+)">/g)].map(([, anchor]) => anchor)
    const expected = parts.filter(({ depth }) => depth === 2).map(({ anchor }) => anchor)
    assert.deepEqual(found, expected.length < 3 ? [] : expected, path)
    for (const anchor of found) assert.ok(text.includes(`id="${anchor}"`), `${path}#${anchor}`)
    listed += found.length
  }
  assert.ok(listed > 50)
})

describe('bold names', () => {
  /** Names in programs of others, and of services. */
  const elsewhere: ReadonlySet<string> = new Set([
    'Add to Home Screen',
    'Add to Home screen',
    'BigBlueButton',
    'Constructor Groups',
    'Install app',
    'Log in with browser',
    'Nextcloud Talk',
  ])
  /** Names of settings may end in a part that depends on what they are about. */
  const asShown = (text: string) =>
    text
      .replace(/\{\w+\}/g, '')
      .replace(/\s+/g, ' ')
      .replace(/[.:,]$/, '')
      .trim()
  const shown = new Set(
    listTexts(fileURLToPath(new URL('../../../../', import.meta.url))).flatMap(({ forms }) =>
      forms.map(asShown),
    ),
  )

  test('are what the interface calls it', () => {
    const unknown = pagePaths.flatMap((path) => {
      const text = helpText(path).replace(/^```.*?^```/gms, '')
      return [...text.matchAll(/(?<!`)\*\*([^*`]+)\*\*/g)]
        .map(([, name = '']) => asShown(name))
        .filter((name) => !shown.has(name) && !elsewhere.has(name))
        .map((name) => `${path}: ${name}`)
    })
    assert.deepEqual(unknown, [])
  })
})

describe('the search', () => {
  /** What newcomers ask, in their words, and where the answer is. */
  const questions: [words: string, page: string, anchor: string][] = [
    ['bring people in', 'administrators/inviting-people', ''],
    ['make a private channel', 'administrators/channels', 'make-a-private-channel'],
    ['get a mail for a topic', 'people/notifications', 'get-an-email-for-a-topic'],
    ['move a topic', 'people/topics', 'move-a-topic'],
    ['restore a backup', 'operators/backups', 'back-up-and-restore'],
    ['put behind nginx', 'operators/on-the-internet', 'behind-a-proxy-on-a-port'],
    ['reset a password', 'people/account', 'reset-a-password'],
    ['write a bot', 'bots/first-bot', 'write-the-bot-in-javascript'],
    ['freeze the clock', 'testers/clock', 'stop-the-clock'],
    ['export', 'administrators/exporting', ''],
  ]
  for (const [words, page, anchor] of questions) {
    const address = `/help/${page}${anchor && `#${anchor}`}`
    test(`answers "${words}" by one search, and by one click on the first page`, async () => {
      const reply = await get(`/help/results?q=${encodeURIComponent(words)}`)
      const found = ((await reply.json()) as { address: string }[]).map((each) => each.address)
      assert.ok(found.slice(0, 3).includes(address), found.join(' '))
      assert.ok((await (await get('/help/')).text()).includes(`<a href="/help/${page}">`))
      const answer = await (await get(`/help/${page}`)).text()
      assert.ok(anchor === '' || answer.includes(`id="${anchor}"`))
    })
  }

  test('leaves out words that say nothing, and falls back to pages with most of the words', () => {
    const addresses = (words: string) => searchHelp(pages, words).map(({ address }) => address)
    assert.deepEqual(addresses('how do I mute a topic'), addresses('mute topic'))
    assert.ok(addresses('mute xyzzyplugh topic').includes('/help/people/topics#mute-a-topic'))
    assert.ok(addresses('how to').length > 0)
  })

  test('gives the same to the page and to the script, and nothing for what is nowhere', async () => {
    const results = (await (await get('/help/results?q=nginx')).json()) as { address: string }[]
    const [first] = results
    assert.ok(first)
    assert.ok((await (await get('/help/?q=nginx')).text()).includes(first.address))
    assert.match(await (await get('/help/?q=xyzzyplugh')).text(), /Nothing found/)
  })

  test('shows words of others as text', async () => {
    const text = await (await get(`/help/?q=${encodeURIComponent('"><script>x</script>')}`)).text()
    assert.doesNotMatch(text, /<script>x/)
  })
})

/** What links can lead to: pages, and their headings. */
const known = new Set(
  pages.flatMap(({ parts, path }) =>
    parts.map(({ anchor }) => (anchor === '' ? path : `${path}#${anchor}`)),
  ),
)

test('each page of the settings leads to a page about it', () => {
  const file = new URL('../../../../src/client/settings/sections.ts', import.meta.url)
  const named = [...readFileSync(file, 'utf8').matchAll(/^ {4}help: '(.+)',$/gm)].map(
    ([, path = '']) => path,
  )
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((path) => !known.has(path)),
    [],
  )
})

describe("addresses of Zulip's help centre", () => {
  test('lead to the page about the same, or to the search', async () => {
    const known = await get('/help/mute-a-topic')
    assert.deepEqual(
      [known.status, known.headers.get('location')],
      [302, '/help/people/topics#mute-a-topic'],
    )
    const unknown = await get('/help/some-other-page')
    assert.equal(unknown.headers.get('location'), '/help/?q=some%20other%20page')
  })

  test('lead to pages and headings that are there', () => {
    assert.deepEqual(
      oldTargets.filter((target) => !known.has(target)),
      [],
    )
  })

  // Names to which the texts of Zulip's API documentation link at the levels that Parley speaks.
  const named = `
    add-a-custom-linkifier allow-image-link-previews archive-a-stream bots-overview
    change-the-privacy-of-a-stream change-the-stream-description change-the-time-format
    change-your-email-address change-your-language change-your-password change-your-timezone
    code-blocks collapse-a-message communities-directory configure-automated-notices
    configure-default-new-user-settings configure-email-visibility configure-emoticon-translations
    configure-home-view configure-organization-language configure-who-can-create-streams
    configure-who-can-invite-to-streams contact-support create-your-organization-profile
    custom-emoji custom-profile-fields dark-theme deactivate-or-reactivate-a-user delete-a-message
    digest-emails direct-messages disable-message-edit-history disable-welcome-emails
    dm-mention-alert-notifications email-notifications emoji-and-emoticons emoji-reactions
    enable-full-width-display export-your-organization follow-a-topic
    format-your-message-using-markdown invite-new-users manage-inactive-streams
    manage-your-uploaded-files marking-messages-as-read mastering-the-compose-box
    mention-a-user-or-group message-retention-policy move-content-to-another-stream mute-a-stream
    mute-a-topic mute-a-user organization-type public-access-option rename-a-stream require-topics
    resolve-a-topic restrict-account-creation restrict-direct-messages
    restrict-message-editing-and-deletion restrict-moving-messages restrict-name-and-email-changes
    roles-and-permissions schedule-a-message search-for-messages set-default-streams-for-new-users
    star-a-message start-a-call status-and-availability stream-permissions stream-sending-policy
    streams-and-topics typing-notifications user-groups view-a-messages-edit-history
    view-the-markdown-source-of-a-message
  `
  test('that its API documentation names are all known', async () => {
    for (const name of named.trim().split(/\s+/)) {
      const location = (await get(`/help/${name}`)).headers.get('location')
      assert.doesNotMatch(String(location), /\?q=/, name)
    }
  })
})

test('a page is split at its headings for the search, but not inside code', () => {
  const page = renderHelp(
    'people/x',
    '# One\n\nFirst.\n\n## Two *b*\n\nSecond.\n\n```\n## no\n```\n',
  )
  assert.deepEqual(
    page.parts.map(({ anchor, heading }) => [heading, anchor]),
    [
      ['One', ''],
      ['Two b', 'two-b'],
    ],
  )
  assert.match(page.parts[1]?.text ?? '', /Second/)
})
