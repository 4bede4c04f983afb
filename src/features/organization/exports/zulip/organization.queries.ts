import { listDomains } from '#features/foundation/domains/queries.ts'
import {
  realmGroupSetting,
  systemGroupId,
} from '#features/foundation/permissions/membership.queries.ts'
import { permissionRules, type RealmPermission } from '#features/foundation/permissions/table.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { extendedSettings } from '#features/foundation/realm/settings.ts'
import { userDefaults as storedDefaults } from '#features/foundation/users/settings.queries.ts'
import { listCustomEmoji } from '#features/messaging/emoji/queries.ts'
import { listLinkifiers } from '#features/messaging/linkifiers/queries.ts'
import { listPlaygrounds } from '#features/organization/playgrounds/queries.ts'
import { listProfileFields } from '#features/people/profile-fields/queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import {
  channelSettings,
  isIn,
  realmSettingColumns,
  settingColumn,
  userSettingColumns,
  withoutNul,
  type ZulipRelease,
} from './format.ts'
import type { Plan } from './plan.queries.ts'
import { numbered, type Row, type Rows } from './tables.queries.ts'

const pictures = preparedSql<{
  kind: 'icon' | 'logo' | 'night_logo'
  fileHash: string
  version: number
}>(
  'SELECT kind, file_hash AS fileHash, version FROM realm_pictures WHERE file_hash IS NOT NULL ORDER BY kind',
)

/** The icon and logos that were uploaded. */
export const realmPictures = ({ read }: Pick<Plan, 'read'>) => pictures(read).all({})

export const realm: Rows = (plan) => {
  const { read, release } = plan
  const { dateCreated, description, name } = requireRealm(read)
  const permissions = Object.keys(permissionRules.realm) as RealmPermission[]
  const uploaded = new Map(realmPictures(plan).map((picture) => [picture.kind, picture]))
  const channel = (setting: (typeof channelSettings)[keyof typeof channelSettings]) => {
    const id = realmSetting(read, setting) as number
    return plan.channels.has(id) ? id : null
  }
  return [
    {
      id: 1,
      name: withoutNul(name),
      string_id: '',
      description: withoutNul(description),
      date_created: dateCreated,
      deactivated: false,
      ...Object.fromEntries(
        Object.entries(channelSettings).map(([column, setting]) => [column, channel(setting)]),
      ),
      ...Object.fromEntries(
        permissions
          .filter((each) => isIn(release, each) && !extendedSettings.has(each))
          .map((each) => [each, realmGroupSetting(read, each)]),
      ),
      ...settingColumns(release, realmSettingColumns, (each) => realmSetting(read, each)),
      ...Object.fromEntries(
        (['icon', 'logo', 'night_logo'] as const).flatMap((kind) => {
          const picture = uploaded.get(kind)
          if (!picture) return []
          return [
            [`${kind}_source`, 'U'],
            [`${kind}_version`, picture.version],
          ]
        }),
      ),
      ...(release >= 12 && {
        // Zulip's default. Its own bills depend on it; this server has no such setting.
        workplace_users_group: systemGroupId(read, 'role:everyone'),
        scheduled_deletion_date: null,
        demo_organization_scheduled_deletion_date: null,
        push_notifications_enabled_end_timestamp: null,
      }),
    },
  ]
}

/** Settings as the columns of a release. */
export function settingColumns<N extends string>(
  release: ZulipRelease,
  names: readonly N[],
  valueIn: (name: N) => unknown,
): Row {
  return Object.fromEntries(
    names.flatMap((name) => {
      const column = settingColumn(release, name, valueIn(name))
      return column ? [column] : []
    }),
  )
}

export const userDefaults: Rows = ({ read, release }) => {
  const defaults: Readonly<Record<string, unknown>> = storedDefaults(read)
  return [
    {
      id: 1,
      realm: 1,
      ...settingColumns(
        release,
        userSettingColumns.filter((name) => Object.hasOwn(defaults, name)),
        (name) => defaults[name],
      ),
    },
  ]
}

export const clients: Rows = function* clients(plan) {
  for (const [name, id] of plan.clients) yield { id, name }
}

export const emoji: Rows = function* emoji(plan) {
  for (const { authorId, deactivated, fileName, id, name, stillFileName } of listCustomEmoji(
    plan.read,
  )) {
    yield {
      id,
      realm: 1,
      author: authorId === null ? plan.owner : plan.shown(authorId),
      name,
      file_name: fileName,
      is_animated: stillFileName !== null,
      deactivated,
    }
  }
}

/** The longest domain there. */
const longestDomain = 80

export const domains: Rows = ({ notes, read }) =>
  numbered(
    listDomains(read).flatMap(({ allowSubdomains, domain }) => {
      if (domain.length <= longestDomain)
        return [{ realm: 1, domain, allow_subdomains: allowSubdomains }]
      notes.lost('domain', domain)
      return []
    }),
  )

export const linkifiers: Rows = ({ read, release }) =>
  listLinkifiers(read).map((each, order) => ({
    id: each.id,
    realm: 1,
    pattern: each.pattern,
    url_template: each.urlTemplate,
    order,
    ...(release >= 12 && {
      example_input: each.exampleInput,
      reverse_template: each.reverseTemplate,
      alternative_url_templates: each.alternativeUrlTemplates,
    }),
  }))

export const playgrounds: Rows = ({ read }) =>
  listPlaygrounds(read).map(({ id, language, name, urlTemplate }) => ({
    id,
    realm: 1,
    name,
    pygments_language: language,
    url_template: urlTemplate,
  }))

/** People log in with passwords that they set by mail; without a way to log in, nobody could. */
export const logInMethods: Rows = () => [{ id: 1, realm: 1, name: 'Email' }]

export const profileFields: Rows = ({ read, release }) =>
  listProfileFields(read).map((field, order) => ({
    id: field.id,
    realm: 1,
    name: field.name,
    hint: field.hint,
    order,
    field_type: field.fieldType,
    // Texts and dates have none; Zulip keeps nothing for them.
    field_data: Object.keys(field.fieldData).length > 0 ? JSON.stringify(field.fieldData) : '',
    display_in_profile_summary: field.displayInProfileSummary,
    required: field.required,
    editable_by_user: field.editableByUser,
    ...(release >= 12 && { use_for_user_matching: field.useForUserMatching }),
  }))

const values = preparedSql<{
  userId: number
  fieldId: number
  value: string
  rendered: string | null
}>(`
  SELECT user_id AS userId, field_id AS fieldId, value, rendered_value AS rendered
  FROM profile_values ORDER BY user_id, field_id`)

/** Profiles are seen by everyone in the organization, so they are in every export. */
export const profileValues: Rows = (plan) =>
  numbered(
    values(plan.read)
      .all({})
      .filter(({ userId }) => plan.users.get(userId)?.isSystemBot === false)
      .map(({ fieldId, rendered, userId, value }) => ({
        user_profile: userId,
        field: fieldId,
        value: withoutNul(value),
        rendered_value: rendered,
      })),
  )
