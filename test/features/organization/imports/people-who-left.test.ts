import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Source } from '#features/organization/imports/source.ts'
import { allSources } from '#features/organization/imports/sources.ts'
import type { Item, PersonItem } from '#features/organization/imports/stream.ts'
import { draw } from '#test/support/drawing.ts'
import type { Files } from '#test/support/exports/archives.ts'
import { campfireExport } from '#test/support/exports/campfire.ts'
import { discordExport } from '#test/support/exports/discord.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf } from '#test/support/exports/items.ts'
import { mattermostExport } from '#test/support/exports/mattermost.ts'
import { rocketchatExport } from '#test/support/exports/rocketchat.ts'
import { slackExport } from '#test/support/exports/slack.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

// Each person of each example export in turn is someone whom the example does not have.

const examples: Readonly<Record<string, () => Files>> = {
  campfire: campfireExport,
  discord: discordExport,
  mattermost: mattermostExport,
  rocketchat: rocketchatExport,
  slack: slackExport,
  zulip: zulipExport,
}

const owner: PersonItem = {
  type: 'person',
  key: 'the owner of the test',
  name: 'Olga Owner',
  email: 'olga@owner.example.com',
  role: 'owner',
  isActive: true,
}

const variations: Readonly<Record<string, (person: PersonItem) => readonly Item[]>> = {
  'was deactivated': (person) => [{ ...person, isActive: false }],
  'is a bot': (person) => [{ ...person, bot: { kind: 'generic' } }],
  'is a deactivated bot': (person) => [{ ...person, isActive: false, bot: { kind: 'generic' } }],
  'is a guest': (person) => [{ ...person, role: 'guest' }],
  'is missing': () => [],
  'is named twice': (person) => [person, person],
  'has no name and no address': ({ email: _, ...person }) => [{ ...person, name: '' }],
}

/** A source whose items are others than it reads. */
const changed = (source: Source, change: (item: Item) => readonly Item[]): Source => ({
  ...source,
  async *read(reading) {
    for await (const item of source.read(reading)) yield* change(item)
  },
})

for (const real of allSources) {
  const example = examples[real.name]
  if (!example) throw new Error(`There is no example export of ${real.title}.`)
  describe(`an export of ${real.title}`, async () => {
    const options = real.name === 'mattermost' ? { team: 'crew' } : {}
    const { items } = await itemsOf(example(), options)
    const people = items.filter((item) => item.type === 'person')
    const channels = new Set(items.flatMap((item) => (item.type === 'channel' ? [item.key] : [])))
    const cases = people.flatMap(({ key }) =>
      Object.keys(variations).map((variation) => ({ key, variation })),
    )
    for (const { key, variation } of draw(cases, 1 / 48, real.name)) {
      test(`comes in when ${key} ${variation}`, async () => {
        const source = changed(real, (item) => {
          if (item.type === 'organization') return [item, owner]
          if (item.type !== 'person' || item.key !== key) return [item]
          return variations[variation]?.(item) ?? []
        })
        const made = await importFiles(example(), { sources: [source], source: options })
        try {
          assert.equal(made.report.tables.channels?.imported, channels.size)
        } finally {
          made.close()
        }
      })
    }
  })
}

/** What becomes of Ben, with other columns for the state of accounts. */
async function ben(change: string): Promise<Record<string, unknown> | undefined> {
  const made = await importFiles(campfireExport(change))
  try {
    return made.rows("SELECT is_active AS active FROM users WHERE full_name LIKE 'Ben%'")[0]
  } finally {
    made.close()
  }
}

describe('the state of an account of Campfire', () => {
  const older =
    'ALTER TABLE users DROP COLUMN status; ALTER TABLE users ADD COLUMN active boolean DEFAULT 1;'
  // biome-ignore format: a table reads best in columns
  const table: [name: string, change: string, active: number][] = [
    ['active in an older database',             older,                                                         1],
    ['not active in an older database',         `${older} UPDATE users SET active = 0 WHERE id = 2`,           0],
    ['unknown in an older database',            `${older} UPDATE users SET active = NULL WHERE id = 2`,        0],
    ['a word in an older database',             `${older} UPDATE users SET active = 'yes' WHERE id = 2`,       0],
    ['0',                                       'UPDATE users SET status = 0 WHERE id = 2',                    1],
    ['deactivated',                             'UPDATE users SET status = 1 WHERE id = 2',                    0],
    ['banned',                                  'UPDATE users SET status = 2 WHERE id = 2',                    0],
    ['of a later kind',                         'UPDATE users SET status = 7 WHERE id = 2',                    0],
    ['nothing',                                 'UPDATE users SET status = NULL WHERE id = 2',                 0],
    ['contradicted by the address',             "UPDATE users SET email_address = 'b-deactivated-00000000-0000-0000-0000-000000000000@example.com' WHERE id = 2", 0],
  ]
  for (const [name, change, active] of table) {
    test(`that is ${name} lets ${active ? 'people' : 'nobody'} in`, async () => {
      assert.deepEqual(await ben(change), { active })
    })
  }
})
