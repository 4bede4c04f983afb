import { type PermissionRule, permissionRules } from '#features/foundation/permissions/table.ts'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { jsonSchema } from '#platform/openapi/schemas.ts'
import type { Setting } from '#platform/setting.ts'
import { ownerOnly } from './rules.ts'
import type { SettingDeclaration } from './shapes.ts'

/** The role that may change a setting of the organization. */
const editableBy = (name: string) =>
  (ownerOnly as ReadonlySet<string>).has(name) ? ('owners' as const) : ('administrators' as const)

/** Every user setting and every setting and permission of the organization, as declared. */
export function settingDeclarations() {
  return {
    user_settings: mapped(userSettingRules, (_, setting) => plain(setting)),
    realm_settings: {
      ...mapped(realmSettingRules, (name, setting) => ({
        ...plain(setting),
        editable_by: editableBy(name),
      })),
      ...mapped(permissionRules.realm, (name, { description, default: fallback }) => ({
        kind: 'group_setting' as const,
        is_nullable: false,
        default: fallback,
        description,
        editable_by: editableBy(name),
      })),
    },
    channel_permissions: mapped(permissionRules.stream, (_, rule) => permission(rule)),
    group_permissions: mapped(permissionRules.group, (_, rule) => permission(rule)),
  }
}

function mapped<T>(
  rules: Readonly<Record<string, T>>,
  declare: (name: string, rule: T) => SettingDeclaration,
): Record<string, SettingDeclaration> {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, declare(name, rule)]),
  )
}

function permission({ description, default: fallback }: PermissionRule): SettingDeclaration {
  return { kind: 'group_setting', is_nullable: false, default: fallback, description }
}

function plain({ schema, fallback }: Setting<unknown>): SettingDeclaration {
  const {
    enum: options,
    type,
    minimum,
    maximum,
    maxLength,
    description,
  } = jsonSchema(schema, new Map())
  const types = Array.isArray(type) ? type : [type]
  return {
    kind: options ? 'choice' : kindOf(types),
    is_nullable: types.includes('null'),
    default: fallback as SettingDeclaration['default'],
    ...(options && { options: options as (string | number)[] }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(description !== undefined && { description }),
  }
}

/** @throws Error a setting has a kind of value that forms do not know yet */
function kindOf(types: readonly (string | undefined)[]): SettingDeclaration['kind'] {
  const kind = (['boolean', 'integer', 'string'] as const).find((each) => types.includes(each))
  if (!kind) throw new Error(`No form shows a setting of type ${types.join()}.`)
  return kind
}
