import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImportOptions } from '#features/organization/imports/stage.actions.ts'
import type { Item, PersonItem } from '#features/organization/imports/stream.ts'
import { importItems } from '#test/support/exports/importing.ts'

const person = (key: string, more: Partial<PersonItem> = {}): PersonItem => ({
  type: 'person',
  key,
  name: `Person ${key}`,
  email: `${key}@example.com`,
  role: 'member',
  isActive: true,
  ...more,
})

const people = [person('gone', { isActive: false }), person('b', { role: 'admin' }), person('c')]

/** An export of which it is counted how many of its messages were asked for. */
function exportOf(first: readonly Item[]) {
  const asked = { messages: 0 }
  function* items(): Generator<Item> {
    yield* first
    yield { type: 'channel', key: 'g', name: 'general', isDefault: true }
    for (let n = 1; n <= 3; n++) {
      asked.messages++
      const place = { channel: 'g', topic: 'talk' }
      yield { type: 'message', key: `${n}`, time: n, sender: 'b', place, content: `text ${n}` }
    }
  }
  return { asked, items }
}

const owners =
  "SELECT full_name AS name, email, is_active AS active FROM users WHERE role = 100 AND email NOT LIKE '%@zulip.com' AND NOT is_system_bot"

describe('the owner of an import', () => {
  for (const [name, owner, wanted] of [
    ['is someone of the export', { email: 'B@example.com' }, ['Person b', 'b@example.com']],
    ['was deactivated', { email: 'gone@example.com' }, ['Person gone', 'gone@example.com']],
    ['is new', { email: 'new@example.com', fullName: 'Nia New' }, ['Nia New', 'new@example.com']],
  ] as const) {
    test(`${name}`, async () => {
      const links: string[] = []
      const onLink: ImportOptions['onLink'] = ({ email }) => void links.push(email)
      const made = await importItems(exportOf(people).items(), { owner, onLink })
      try {
        assert.deepEqual(made.rows(owners), [{ name: wanted[0], email: wanted[1], active: 1 }])
        assert.equal(made.report.tables.messages?.imported, 3)
        assert.ok(links.includes(wanted[1]), 'who becomes the owner gets a link to log in')
        const subscribed = made.rows(
          'SELECT c.name FROM subscriptions s JOIN channels c ON c.id = s.channel_id JOIN users u ON u.id = s.user_id WHERE u.email = ?',
          wanted[1],
        )
        assert.equal(subscribed.length, 'fullName' in owner ? 1 : 0)
      } finally {
        made.close()
      }
    })
  }

  const named =
    'The export has Person b (b@example.com), Person c (c@example.com), Person gone (gone@example.com).'
  const way = 'For someone who is not in the export, add --owner-name NAME.'
  const refusals: readonly [string, ImportOptions['owner'] | undefined, readonly Item[], string][] =
    [
      [
        'nobody has that address',
        { email: 'x@example.com' },
        people,
        `Nobody in the export has the address x@example.com. ${named} ${way}`,
      ],
      [
        'the address is that of a bot',
        { email: 'bot@example.com' },
        [...people, person('bot', { bot: { kind: 'generic' } })],
        `Nobody in the export has the address bot@example.com. ${named} ${way}`,
      ],
      [
        'there is none, and nobody is named',
        undefined,
        people,
        `Nobody in the export is an active owner of the organization. Name one with --owner ADDRESS. ${named} ${way}`,
      ],
      [
        'there is nobody at all',
        undefined,
        [],
        `Nobody in the export is an active owner of the organization. Name one with --owner ADDRESS. The export has no people. ${way}`,
      ],
      [
        'the address of a new one is in the export',
        { email: 'B@example.com', fullName: 'Nia New' },
        people,
        'B@example.com is the address of Person b in the export: leave out --owner-name.',
      ],
      [
        'the new one has no name',
        { email: 'new@example.com', fullName: ' ' },
        people,
        'The full name is missing.',
      ],
      [
        'the address of the new one is none',
        { email: 'new', fullName: 'Nia' },
        people,
        'This is not an email address.',
      ],
      [
        'the export has many people',
        { email: 'x@example.com' },
        Array.from({ length: 13 }, (_, n) =>
          person(`p${n}`, n === 0 ? { email: undefined } : { role: 'guest' }),
        ),
        `Nobody in the export has the address x@example.com. The export has Person p0 (without an address), ${Array.from({ length: 9 }, (_, n) => `Person p${n + 1} (p${n + 1}@example.com)`).join(', ')} and 3 more. ${way}`,
      ],
    ]
  for (const [when, owner, first, message] of refusals) {
    for (const isTrial of [false, true]) {
      test(`is asked for before the second message${isTrial ? ' of a dry run' : ''} if ${when}`, async () => {
        const { asked, items } = exportOf(first)
        await assert.rejects(importItems(items(), { ...(owner && { owner }), isTrial }), {
          message,
        })
        assert.equal(asked.messages, 1)
      })
    }
  }

  test('is asked for even if there is no message', async () => {
    await assert.rejects(importItems(people), /Nobody in the export is an active owner/)
  })

  test('may be chosen after a trial, from the people that it finds', async () => {
    const found: string[] = []
    const made = await importItems(exportOf(people).items(), {
      isTrial: true,
      isOwnerChosenLater: true,
      onPeople: (all) => found.push(...all.map(({ key }) => key)),
    })
    made.close()
    assert.deepEqual(found, ['b', 'c'])
  })
})
