import { systemGroups } from '#features/foundation/permissions/table.ts'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import {
  channelSettings,
  renamedInTwelve,
  settingNumbers,
} from '#features/organization/exports/zulip/format.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { OrganizationItem } from '#features/organization/imports/stream.ts'
import type { Directory } from './directory.ts'
import { pictureBody } from './pictures.ts'
import { permissionsIn, type RealmRow } from './rows.ts'

/** The API's names of settings, for columns of Zulip with other names. */
const settingNames = new Map(
  Object.entries(renamedInTwelve).map(([name, column]) => [column, name]),
)

/** The API's word for the number of a setting; undefined: the API uses the number. */
function wordOf(name: string, number: unknown): string | undefined {
  const words = Object.entries(settingNumbers[name] ?? {})
  return words.find(([, each]) => each === number)?.[0]
}

/** The settings in a row, by the names that they have in the API. */
export function settingsIn(
  row: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    const name = settingNames.get(column) ?? column
    if (!Object.hasOwn(rules, name)) continue
    found[name] = wordOf(name, value) ?? value
  }
  return found
}

export function organization(reading: Reading, directory: Directory): OrganizationItem {
  const { realm, userDefaults } = directory
  if (realm?.deactivated) reading.notes.skipped('settings', 'no-place', 'deactivated')
  return {
    type: 'organization',
    name: realm?.name,
    description: realm?.description,
    created: realm?.date_created ?? undefined,
    settings: settingsIn(realm ?? {}, realmSettingRules),
    permissions: permissionsIn(realm ?? {}),
    channelSettings: realm ? channelsIn(realm) : {},
    userDefaults: settingsIn(userDefaults, defaultRules),
    pictures: {
      ...pictureOf(reading, 'icon'),
      ...pictureOf(reading, 'logo'),
      ...pictureOf(reading, 'night_logo'),
    },
    placeholderDomain: placeholderDomain(directory),
    systemIds: systemIds(directory),
  }
}

const { allow_private_data_export: _, ...defaultRules } = userSettingRules

function channelsIn(realm: RealmRow): Record<string, string | null> {
  const columns = Object.entries(channelSettings) as [keyof typeof channelSettings, string][]
  return Object.fromEntries(
    columns.map(([column, name]) => {
      const id = realm[column]
      return [name, id ? String(id) : null]
    }),
  )
}

function pictureOf(reading: Reading, kind: 'icon' | 'logo' | 'night_logo') {
  const path = reading.archive.paths.find((each) =>
    new RegExp(`^realm_icons/(.+/)?${kind}\\.original$`).test(each),
  )
  return path === undefined ? {} : { [kind]: pictureBody(reading, path) }
}

/** The domain of the addresses that stood for hidden ones. */
export function placeholderDomain({ users }: Directory): string | undefined {
  for (const { email, id } of users.values()) {
    const domain = /^user(\d+)@(.+)$/.exec(email)
    if (domain && Number(domain[1]) === id) return domain[2]
  }
  return undefined
}

/** IDs for system groups and bots: those of the export, and free ones for others. */
function systemIds(directory: Directory): NonNullable<OrganizationItem['systemIds']> {
  const { dummies, groups: groupIds, namedGroups, systemUsers, users } = directory
  const groups = new Map<string, number>()
  for (const [id, { is_system_group, name }] of namedGroups)
    if (is_system_group) groups.set(name, id)
  const bots = new Map<string, number>()
  for (const [id, email] of systemUsers) bots.set(email.slice(0, email.indexOf('@')), id)
  return {
    groups: completed(groups, systemGroups, [...groupIds, ...namedGroups.keys()]),
    bots: completed(bots, botNames, [...users.keys(), ...dummies.keys(), ...systemUsers.keys()]),
  }
}

const botNames = [
  'emailgateway',
  'nagios-receive-bot',
  'nagios-send-bot',
  'notification-bot',
  'welcome-bot',
]

function completed(
  known: ReadonlyMap<string, number>,
  names: readonly string[],
  taken: readonly number[],
): Record<string, number> {
  let next = taken.reduce((most, id) => Math.max(most, id), 0)
  return Object.fromEntries(names.map((name) => [name, known.get(name) ?? ++next]))
}
