import {
  bindings,
  chordLabels,
  sections as keySections,
} from '../src/client/commands/key-bindings.ts'
import {
  channelPermissionLabels,
  groupPermissionLabels,
} from '../src/client/settings/labels/permissions.ts'
import { realmPermissionOffers, realmSettingOffers } from '../src/client/settings/labels/realm.ts'
import { userSettingOffers } from '../src/client/settings/labels/user.ts'
import { declarationOf, type NotOffered, type SettingOffer } from '../src/client/settings/offers.ts'
import { sections } from '../src/client/settings/sections.ts'
import { systemGroupNames } from '../src/client/settings/ui/group-value.ts'
import { settingDeclarations } from '../src/features/organization/organization-settings/declarations.json.ts'
import type { SettingDeclaration } from '../src/features/organization/organization-settings/shapes.ts'
import { defaultText, type Variable } from '../src/platform/config/variable.ts'
import { metrics, quotas } from '../src/program/features.ts'
import { variables } from '../src/program/variables.ts'
import { calls, costs, errors, rates, sizes, texts } from './help-limits.ts'
import { grouped, inWords, table } from './tables.ts'

/**
 * The tables of the help centre that are made from declarations, by the marker in front of them, such as
 * `<!-- limits -->`. Each ends with `<!-- end -->`.
 */
const tables: Readonly<Record<string, () => string>> = {
  calls,
  costs,
  errors,
  keys,
  rates,
  sizes,
  texts,
  limits: () =>
    table(
      ['Limit', 'Default', 'Meaning'],
      [...quotas]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ forAdministrators = 1, meaning, most, name }) => [
          `\`${name}\``,
          grouped(most),
          forAdministrators === 1
            ? meaning
            : `${meaning} Administrators: ${inWords(forAdministrators)} times as many.`,
        ]),
    ),
  metrics: () =>
    table(
      ['Metric', 'Labels', 'Meaning'],
      metrics().map(({ help, labels = [], name }) => [
        `\`${name}\``,
        labels.map((label) => `\`${label}\``).join(', '),
        help.replaceAll(/(?<= )\/api\/\S+(?=\.)/g, '`$&`'),
      ]),
    ),
  variables: () =>
    table(
      ['Variable', 'Meaning'],
      variables.map((each) => [`\`${each.name}\``, meaningOf(each)]),
    ),
  'organization-permissions': () =>
    offered(realmPermissionOffers, declared.realm_settings, ['Permission', 'Default']),
  'channel-permissions': () => permissions(channelPermissionLabels, declared.channel_permissions),
  'group-permissions': () => permissions(groupPermissionLabels, declared.group_permissions),
  'organization-settings': () =>
    offered(realmSettingOffers, declared.realm_settings, ['Setting', 'Default']),
  'user-settings': () => offered(userSettingOffers, declared.user_settings, ['Setting', 'Default']),
}

const declared = settingDeclarations()

/** A page of the help centre with its tables as they have to be. @throws Error it has an unknown one */
export function withTables(page: string): string {
  return page.replaceAll(
    /(?<=^<!-- (?!end )([a-z-]+) -->\n)[\s\S]*?(?=^<!-- end -->$)/gm,
    (_, name: string) => {
      const make = tables[name]
      if (!make) throw new Error(`There is no table "${name}".`)
      return `\n${make()}\n`
    },
  )
}

/** The names of the tables that a page has. */
export const tablesIn = (page: string): string[] =>
  [...page.matchAll(/^<!-- (?!end )([a-z-]+) -->$/gm)].map(([, name = '']) => name)

export const tableNames: readonly string[] = Object.keys(tables)

function keys(): string {
  const names = Object.keys(keySections) as (keyof typeof keySections)[]
  return names
    .map((name) => {
      const rows = bindings
        .filter(({ section }) => section === name)
        .map(({ description, keys: chords }) => [
          chords.map((chord) => `\`${chordLabels(chord).join('+')}\``).join(' or '),
          description,
        ])
      return `## ${keySections[name]}\n\n${table(['Key', 'What it does'], rows)}`
    })
    .join('\n')
}

function permissions(
  labels: Readonly<Record<string, string>>,
  declarations: Readonly<Record<string, SettingDeclaration>>,
): string {
  const rows = Object.entries(labels).map(([name, label]) => {
    const { default: value } = declarationOf(declarations, name)
    return [label, groupName(String(value))]
  })
  return table(['Permission', 'Default'], rows)
}

/** Everything that pages of the settings offer, under the headings of those pages. */
function offered(
  offers: Readonly<Record<string, SettingOffer | NotOffered>>,
  declarations: Readonly<Record<string, SettingDeclaration>>,
  head: readonly [string, string],
): string {
  const groups = new Map<string, string[][]>()
  for (const [name, offer] of Object.entries(offers)) {
    if ('notOffered' in offer) continue
    const page = sections.find(({ id }) => id === offer.section)
    if (!page) throw new Error(`There is no page ${offer.section}.`)
    const heading = `**${page.title}**, **${offer.group}**`
    const declaration = declarationOf(declarations, name)
    const label = `${offer.label}${declaration.editable_by === 'owners' ? ' (owners only)' : ''}`
    const help = offer.help === undefined ? '' : `. ${offer.help}`
    const row = [`${label}${help}`, firstValue(offer, declaration)]
    groups.set(heading, [...(groups.get(heading) ?? []), row])
  }
  return Array.from(groups, ([heading, rows]) => `${heading}:\n\n${table(head, rows)}`).join('\n')
}

/** What a setting is at first, as its field shows it. */
function firstValue(offer: SettingOffer, { default: value, kind }: SettingDeclaration): string {
  const { control, options, special, unit } = offer
  if (special && special.value === value) return special.label
  const option = options?.[String(value)]
  if (option !== undefined) return option
  if (kind === 'group_setting') return groupName(String(value))
  if (kind === 'boolean') return value ? 'On' : 'Off'
  if (value === '' || value === null) return 'Empty'
  if (control === 'language') return 'English'
  if (unit) {
    const amount = grouped(Number(value) / unit.scale)
    const { name } = unit
    // A slider's unit says where the number goes.
    return name.includes('{count}') ? name.replace('{count}', amount) : `${amount} ${name}`
  }
  return String(value)
}

function groupName(group: string): string {
  if (group === 'channel_creator' || group === 'group_creator') return 'Its creator'
  const name = systemGroupNames[group]
  if (name === undefined) throw new Error(`The group ${group} has no name.`)
  return name
}

function meaningOf(variable: Variable): string {
  const { help, meaning, unset } = variable
  const sentences = meaning.replace(/"(on|off)"/g, '`$1`').replace('%s', '`%s`')
  const see = help?.replace(/\]\(#([a-z-]+)\)/g, (_, anchor: string) => `](${pageOf(anchor)})`)
  const value = defaultText(variable)
  const shown = unset === undefined && value !== 'none' ? `\`${value}\`` : value
  return [sentences, see, `Default: ${shown}.`].filter(Boolean).join(' ')
}

/** The help pages to which the texts of settings refer by what they are about. */
const pages: Readonly<Record<string, string>> = {
  'accounts-elsewhere': 'single-sign-on.md',
  'constructor-groups': 'calls-and-gifs.md#constructor-groups',
  gifs: 'calls-and-gifs.md#gifs',
  health: 'health-and-metrics.md#health',
  'in-the-browser': 'backups.md#in-the-browser',
  limits: 'limits.md',
  litestream: 'backups.md#litestream',
  'mail-that-comes-in': 'mail.md#mail-that-comes-in',
  metrics: 'health-and-metrics.md#metrics',
  'notifications-on-devices': 'phones.md',
  'on-the-internet': 'on-the-internet.md',
  'phones-with-the-apps': 'phones.md#phones-with-the-apps',
  privacy: 'security.md',
  'regular-backups': 'backups.md#regular-backups',
  signals: 'commands.md#signals',
  upgrading: 'upgrading.md',
  zoom: 'calls-and-gifs.md#zoom',
}

function pageOf(anchor: string): string {
  const page = pages[anchor]
  if (page === undefined) throw new Error(`No help page is about #${anchor}.`)
  return page
}
