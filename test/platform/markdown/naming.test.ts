import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namingLimits } from '#platform/markdown/naming.ts'
import type { Lookups } from '#platform/markdown/types.ts'
import { html, rendered } from './markdown.ts'

/** More than any limit allows. */
const many = 1500
const numbered = (make: (i: number) => string) => Array.from({ length: many }, (_, i) => make(i))
const text = (make: (i: number) => string) => numbered(make).join(' ')
const group = { isSystem: false, mentionable: true, deactivated: false }

/** Lookups that know everything, and how often each was asked. */
function counting(): { lookups: Partial<Lookups>; asked: Record<string, number> } {
  const asked: Record<string, number> = {}
  const count = (name: string) => {
    asked[name] = (asked[name] ?? 0) + 1
  }
  return {
    asked,
    lookups: {
      usersByName(name) {
        count('usersByName')
        return name.startsWith('|') ? [] : [{ id: Number(name), fullName: name, isActive: true }]
      },
      userById(id) {
        count('userById')
        return { id, fullName: `${id}`, isActive: true }
      },
      groupByName(name) {
        count('groupByName')
        return { ...group, id: Number(name), name, displayName: name }
      },
      channelByName(name) {
        count('channelByName')
        return name.includes('>') ? undefined : { id: 1, name }
      },
      newestInTopic() {
        count('newestInTopic')
        return 5
      },
    },
  }
}

const { people, groups, topics, all } = namingLimits

describe('what is beyond the limits of a message is shown as it was typed, and not looked up', () => {
  // biome-ignore format: a table reads best in columns
  const rows: [what: string, source: (i: number) => string, pattern: RegExp, shown: number, most: Record<string, number>][] = [
    ['people',                   (i) => `@**${i}**`,      /class="user-mention"/g,        people, { usersByName: people }],
    ['people who are not told',  (i) => `@_**${i}**`,     /class="user-mention silent"/g, people, { usersByName: people }],
    ['people by ID',             (i) => `@**|${i}**`,     /class="user-mention"/g,        people, { usersByName: people, userById: people }],
    ['groups',                   (i) => `@*${i}*`,        /class="user-group-mention"/g,  groups, { groupByName: groups }],
    ['one person again',         () => '@**7**',          /class="user-mention"/g,        all,    { usersByName: 1 }],
    ['one group again',          () => '@*7*',            /class="user-group-mention"/g,  all,    { groupByName: 1 }],
    ['everybody again',          () => '@**all**',        /channel-wildcard-mention/g,    all,    {}],
    ['one channel again',        () => '#**1**',          /class="stream"/g,              all,    { channelByName: 1 }],
    ['channels',                 (i) => `#**${i}**`,      /class="stream"/g,              all,    { channelByName: all }],
    ['topics',                   (i) => `#**1>${i}**`,    /with\/5/g,                     topics, { newestInTopic: topics }],
  ]
  for (const [what, source, pattern, shown, most] of rows) {
    test(what, () => {
      const { lookups, asked } = counting()
      const shownHtml = html(text(source), lookups)
      // A message whose HTML would be too long is text as a whole.
      const found = shownHtml.match(pattern)?.length ?? 0
      assert.ok(found === shown || found === 0, `${found}`)
      for (const [lookup, count] of Object.entries(most)) {
        assert.ok((asked[lookup] ?? 0) <= count, `${lookup}: ${asked[lookup]}`)
      }
    })
  }

  test('linkifiers, the first in their order', () => {
    const linkifiers = numbered((i) => `bug${i}x(?P<id>[0-9]+)`).map((pattern, id) => ({
      ...{ id, pattern, urlTemplate: 'https://x.example/{id}' },
    }))
    const shown = html(
      numbered((i) => `bug${i}x1`)
        .slice(0, 500)
        .join(' '),
      { linkifiers },
    )
    assert.equal(shown.match(/<a /g)?.length, namingLimits.linkifiers)
    assert.match(shown, />bug99x1<\/a> bug100x1 /)
  })
})

test('who is named within the limits is told, whatever follows', () => {
  const { lookups } = counting()
  const { mentions } = rendered(
    text((i) => `@**${i}** @*${i}*`),
    lookups,
  )
  assert.deepEqual([mentions.userIds.length, mentions.groupIds.length], [people, groups])
})
