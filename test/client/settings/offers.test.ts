import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { SettingDeclaration, SettingDeclarations } from '#client/api/wire.ts'
import {
  channelPermissionLabels,
  groupPermissionLabels,
} from '#client/settings/labels/permissions.ts'
import { realmPermissionOffers, realmSettingOffers } from '#client/settings/labels/realm.ts'
import { userSettingOffers } from '#client/settings/labels/user.ts'
import { allGroupsOf, type NotOffered, type SettingOffer } from '#client/settings/offers.ts'
import { searchSections } from '#client/settings/search.ts'
import { sections } from '#client/settings/sections.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const declared = await server.as('guest').get<SettingDeclarations>('/settings/declarations')

type AnyOffers = Readonly<Record<string, SettingOffer | NotOffered>>
const tables: readonly (readonly [string, AnyOffers, Record<string, SettingDeclaration>])[] = [
  ['the user', userSettingOffers, declared.user_settings],
  [
    'the organization',
    { ...realmSettingOffers, ...realmPermissionOffers },
    declared.realm_settings,
  ],
]

for (const [whose, offers, declarations] of tables) {
  describe(`settings of ${whose}`, () => {
    test('are offered, or a reason says why not', () => {
      assert.deepEqual(Object.keys(offers).sort(), Object.keys(declarations).sort())
      const reasons = Object.values(offers).filter((each) => 'notOffered' in each)
      assert.ok(reasons.every(({ notOffered }) => /^[A-Z].{20,}\.$/.test(notOffered)))
    })

    test('that are choices have a name for each value', () => {
      for (const [name, { options }] of Object.entries(declarations)) {
        const offer = offers[name]
        if (!options || !offer || 'notOffered' in offer) continue
        // Languages are called what they call themselves.
        if (offer.control === 'language') continue
        // Those that the server must have are called by the names that it sends.
        if (offer.available) continue
        const named = Object.keys(offer.options ?? {}).sort()
        assert.deepEqual(named, options.map(String).sort(), name)
      }
    })
  })
}

test('settings of the organization are offered by sections that exist', () => {
  const ids = sections.filter(({ area }) => area === 'organization').map(({ id }) => id)
  const named = Object.values<SettingOffer | NotOffered>({
    ...realmSettingOffers,
    ...realmPermissionOffers,
  }).flatMap((offer) => ('notOffered' in offer ? [] : [offer.section]))
  assert.deepEqual(
    [...new Set(named)].filter((section) => !ids.includes(section)),
    [],
  )
})

test('defaults of new people are offered for all settings that people have', async () => {
  const { realm_user_settings_defaults: defaults } = await server
    .as('owner')
    .post<{ realm_user_settings_defaults: object }>('/register', {
      fetch_event_types: ['realm_user_settings_defaults'],
    })
  const groups = allGroupsOf(userSettingOffers, (name) => name in defaults)
  const offered = [...groups.values()].flat().map(([name]) => name)
  const expected = Object.entries<SettingOffer | NotOffered>(userSettingOffers)
    .filter(([name, offer]) => !('notOffered' in offer) && name in defaults)
    .map(([name]) => name)
  assert.deepEqual(offered.sort(), expected.sort())
  assert.ok(!offered.includes('allow_private_data_export'))
  assert.ok(offered.includes('enable_stream_desktop_notifications'))
})

test('permissions of channels and groups have a name each', () => {
  const names = [channelPermissionLabels, groupPermissionLabels].map((labels) =>
    Object.keys(labels).sort(),
  )
  assert.deepEqual(names, [
    Object.keys(declared.channel_permissions).sort(),
    Object.keys(declared.group_permissions).sort(),
  ])
})

describe('the declarations', () => {
  const table: readonly (readonly [string, SettingDeclaration | undefined, object])[] = [
    ['a switch', declared.user_settings.enter_sends, { kind: 'boolean', default: false }],
    [
      'a number with limits',
      declared.user_settings.web_font_size_px,
      { kind: 'integer', minimum: 8, maximum: 40, default: 16 },
    ],
    [
      'a choice',
      declared.realm_settings.topics_policy,
      { kind: 'choice', options: ['allow_empty_topic', 'disable_empty_topic'] },
    ],
    [
      'a number or nothing',
      declared.realm_settings.message_content_edit_limit_seconds,
      { kind: 'integer', is_nullable: true, editable_by: 'administrators' },
    ],
    [
      'what only owners change',
      declared.realm_settings.message_retention_days,
      { kind: 'integer', editable_by: 'owners' },
    ],
    [
      'a permission',
      declared.realm_settings.can_create_groups,
      { kind: 'group_setting', default: 'role:members', editable_by: 'owners' },
    ],
  ]
  for (const [name, declaration, expected] of table) {
    test(`say what ${name} is`, () => {
      assert.ok(declaration)
      assert.deepEqual({ ...declaration, ...expected }, declaration)
    })
  }

  test('name who may change a setting as the server decides it', async () => {
    const [admin, owner] = [server.as('admin'), server.as('owner')]
    const plain = Object.entries(declared.realm_settings).filter(
      ([, { kind }]) => kind === 'boolean',
    )
    for (const [name, { default: value, editable_by }] of plain) {
      const reply = await admin.patch('/realm', { [name]: value })
      const isAllowed = reply.result === 'success'
      // Spectators are refused by the server's configuration.
      assert.equal(isAllowed, editable_by === 'administrators', `${name}: ${reply.msg}`)
      assert.equal((await owner.patch('/realm', { [name]: value })).result, 'success', name)
    }
  })
})

test('a search finds sections by their names and by the settings in them', () => {
  const found = (typed: string) =>
    searchSections(sections, typed).map(({ section, settings }) => [
      section.id,
      ...settings.map(({ name }) => name),
    ])
  assert.ok(found('preferences').some(([id, ...names]) => id === 'preferences' && !names.length))
  assert.deepEqual(found('font size'), [['preferences', 'web_font_size_px']])
  assert.deepEqual(found('zzzz'), [])
})
