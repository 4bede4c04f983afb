import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  categories,
  type Integration,
  type Note,
} from '#features/integrations/webhook-services/declaration.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { contentText, topicText } from '#features/integrations/webhook-services/rendering.ts'
import { ApiError } from '#platform/errors.ts'
import { render } from '#platform/markdown/render.ts'
import { notesAbout } from '#test/support/webhooks.ts'
import { inEnglish } from '#translations/translate.ts'
import { changedMembers, leaves, lookupsOfEverybody } from './payloads.ts'

/** Those whose text is Markdown of whoever set them up. */
const verbatim = new Set(
  'slack_incoming discord_incoming zapier ifttt homeassistant ntfy zendesk'.split(' '),
)

/** Those that have a message, or none, for an event of any name, or refuse it as invalid. */
const passing = new Set(
  'airbyte alertmanager clubhouse freshdesk grafana newrelic statuspage teamcity travis wordpress zabbix'.split(
    ' ',
  ),
)

const headersOf = ({ example }: Integration) => example.headers ?? {}

/** What an integration says of a payload, or the code of its refusal; a bug of ours throws. */
function outcome(
  service: Integration,
  body: unknown,
  headers = headersOf(service),
): readonly Note[] | string {
  try {
    return notesAbout(service, body, { headers })
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error.code
    throw error
  }
}

const notesIn = (said: readonly Note[] | string) => (typeof said === 'string' ? [] : said)

const topicOf = (note: Note | undefined) => String(note?.topic ?? '')

test('their names are unique, and they are listed by them', () => {
  const names = integrations.map(({ name }) => name)
  assert.deepEqual(names, [...new Set(names)].sort())
})

for (const service of integrations) {
  const { name, displayName, eventTypes, eventHeaders, example } = service
  const steps = service.steps.map(inEnglish)

  describe(displayName, () => {
    test('is declared whole', () => {
      assert.match(name, /^[a-z\d_]+$/)
      assert.ok(categories.includes(service.category))
      assert.ok(steps.length > 0 && steps.every((step) => step.trim() === step && step !== ''))
      assert.ok(steps.some((step) => step.includes('{url}')))
      if (eventTypes) {
        assert.ok(eventTypes.length > 0)
        assert.deepEqual(eventTypes, [...new Set(eventTypes)])
      }
      for (const { label } of service.urlOptions ?? []) assert.ok(label.length > 5)
    })

    test('says something of its example, under the topic that it names', () => {
      const [note, ...others] = notesAbout(service, example.body, { headers: headersOf(service) })
      assert.deepEqual(others, [])
      assert.ok(note && note.content.trim() !== '')
      assert.equal(topicText(note.topic, 60), example.topic)
      const events = note.events ?? []
      assert.equal(events.length > 0, eventTypes !== null)
      if (eventTypes)
        assert.ok(
          events.some((event) => eventTypes.includes(event)),
          String(events),
        )
    })

    test('takes an option that the URL does not name at its default', () => {
      const headers = headersOf(service)
      for (const { key, validator, isOnByDefault = false } of service.urlOptions ?? []) {
        if (validator !== 'check_bool') continue
        const options = { [key]: String(isOnByDefault) }
        const notes = notesAbout(service, example.body, { headers, options })
        assert.deepEqual(notes, notesAbout(service, example.body, { headers }))
      }
    })

    test('says as much where the topic is another', () => {
      const sent = { headers: headersOf(service), isElsewhere: true }
      assert.equal(notesAbout(service, example.body, sent).length, 1)
    })

    if (eventHeaders) {
      test('refuses a request without the header of its event', () => {
        assert.equal(outcome(service, example.body, {}), 'MISSING_HTTP_EVENT_HEADER')
      })

      test('knows no event of another name', () => {
        for (const event of ['no_such_event', '__proto__', 'constructor']) {
          const headers: Record<string, string> = { [eventHeaders[0]]: event }
          assert.equal(outcome(service, example.body, headers), 'UNSUPPORTED_WEBHOOK_EVENT_TYPE')
        }
      })
    } else if (eventTypes && !passing.has(name)) {
      test('knows no event of another name', () => {
        const codes = ['no_such_event', 'constructor', 99].flatMap((event) =>
          leaves(example.body, { inner: true }).map((path) =>
            outcome(service, changedMembers(example.body, path, event)),
          ),
        )
        const byHeader = Object.keys(headersOf(service)).map((header) =>
          outcome(service, example.body, { [header]: 'no_such_event' }),
        )
        assert.ok([...codes, ...byHeader].includes('UNSUPPORTED_WEBHOOK_EVENT_TYPE'))
      })
    }

    test('refuses what is no payload of its own, in a documented way', () => {
      for (const body of [null, 0, true, [], {}, [[]], { a: 1 }]) {
        const said = outcome(service, body)
        if (typeof said === 'string') assert.ok(refusals.has(said), said)
      }
    })

    test('reads no more of a text than a message holds', () => {
      const huge = `${'x'.repeat(150_000)}${' '.repeat(150_000)}x`
      for (const path of leaves(example.body)) {
        const note = notesIn(outcome(service, changedMembers(example.body, path, huge)))[0]
        const longest = Math.max(note?.content.length ?? 0, topicOf(note).length)
        assert.ok(longest < huge.length / 2, `${path.join('.')}: ${longest} characters`)
      }
    })

    test('goes on without any one member, or with any other in its place', () => {
      for (const path of leaves(example.body, { inner: true })) {
        for (const value of [undefined, null, 7, -1, '', [], {}, 'x'.repeat(100_000), [null]]) {
          const said = outcome(service, changedMembers(example.body, path, value))
          if (typeof said === 'string') assert.ok(refusals.has(said), said)
          for (const note of notesIn(said)) {
            assert.ok([...contentText(note.content, 10_000)].length <= 10_000)
            assert.ok([...topicText(note.topic, 60)].length <= 60)
          }
        }
      }
    })

    test('lets no text notify anyone, or leave its place', () => {
      for (const path of leaves(example.body)) {
        for (const text of hostile) {
          const said = outcome(service, changedMembers(example.body, path, text))
          for (const note of notesIn(said)) requireHarmless(service, note)
        }
      }
    })
  })
}

const refusals = new Set([
  'BAD_REQUEST',
  'ANOMALOUS_WEBHOOK_PAYLOAD',
  'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
  'MISSING_HTTP_EVENT_HEADER',
])

const hostile = [
  '@**all** @**everyone** @**topic** @**King Hamlet** @*crew* @**King Hamlet|10**',
  '[Log in](https://evil.example/a)',
  '](https://evil.example/b) [x',
  'https://good.example/](https://evil.example/c)',
  '`a` ` [x](https://evil.example/d)',
  'a\n```\nb\n````` spoiler @**all**\n@**all**',
  'a\n~~~\n@**all**',
  '```',
  '``````',
  '~~~~ quote',
  '* ```\n @**all**',
  '1. ~~~\n2. ```` quote\n@**all**',
  '```spoiler @**all**\n@**all**',
  '$$ @**all**',
  '/poll @**all**\nYes\nNo',
  '/me @**all**',
  'x\u0000\ud800y',
  '</p></blockquote><script>alert(1)</script><img src=x onerror=alert(1)><p>@**all**',
  '<a href=//evil.example/e>Log in</a><span class="user-mention" data-user-id="*">@all</span>',
  '||@**all**||\n\n```` spoiler\n@**all**',
  '<!channel> <!everyone|@**all**> <@U123>',
  '@'.repeat(5000),
  '['.repeat(5000),
]

/** What follows a note is as it would be after any other text. */
function requireHarmless({ name }: Integration, note: Note): void {
  const content = contentText(note.content, 9000)
  const { html, mentions } = render(`${content}\n\nThe end.`, lookupsOfEverybody)
  if (verbatim.has(name)) return
  assert.deepEqual(mentions.userIds, [], content)
  assert.deepEqual(mentions.groupIds, [], content)
  assert.ok(!mentions.channelWildcard && !mentions.topicWildcard, content)
  assert.ok(html.endsWith('<p>The end.</p>'), content)
  assert.doesNotMatch(
    html,
    /<script|<img[^>]*onerror|<span class="user-mention"(?! silent)/,
    content,
  )
  const outside = html.replace(/<blockquote>[\s\S]*<\/blockquote>/g, '')
  // A bare address may be a link, as it shows where it leads.
  assert.doesNotMatch(outside, /href="(https:\/\/evil\.example[^"]*)"[^>]*>(?!\1<)/, content)
}

/** Pairs that take each other's payloads, because these have the same form. */
const alike: readonly (readonly string[])[] = [
  ['gitea', 'forgejo'],
  ['grafana', 'alertmanager'],
  ['sonarr', 'radarr', 'lidarr', 'prowlarr'],
]

/** Those that take almost anything, as they have no form of their own. */
const lenient = new Set(verbatim).add('json')

describe('the payload of one service is none of another', () => {
  for (const service of integrations.filter(({ name }) => !lenient.has(name))) {
    test(service.displayName, () => {
      for (const other of integrations) {
        if (other === service) continue
        if (alike.some((names) => [service, other].every(({ name }) => names.includes(name))))
          continue
        const said = outcome(service, other.example.body, headersOf(other))
        assert.ok(
          typeof said === 'string' || said.every(({ isForOwner }) => isForOwner === true),
          `${other.name}: ${JSON.stringify(said)}`,
        )
      }
    })
  }
})
