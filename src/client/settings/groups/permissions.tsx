import type { GroupPermission } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { PermissionField } from '#client/settings/directory/permission-field.tsx'
import { groupPermissionLabels } from '#client/settings/labels/permissions.ts'
import { t } from '#client/ui/t.ts'
import { draftKeyOf, type GroupPageProps } from './group-page.ts'
import { groupLock } from './rights.ts'

/** The permissions of a group. */
export function GroupPermissions({ group }: GroupPageProps) {
  const { store, api } = useApp()
  const locked = groupLock(store, group)
  const rules = store.realm.value.server_supported_permission_settings.group
  return (
    <section class="setting-group">
      <p class="field-help">
        {t('People who manage this group, or all groups, can do all of this.')}
      </p>
      {(Object.keys(groupPermissionLabels) as GroupPermission[]).map((name) => (
        <PermissionField
          key={name}
          name={name}
          label={t(groupPermissionLabels[name])}
          rule={rules[name]}
          value={group.permissions[name]}
          locked={locked}
          draftKey={draftKeyOf(group)}
          onEdit={(changes) => api.patch(`/user_groups/${group.id}`, changes)}
        />
      ))}
    </section>
  )
}
