import type { ChannelPermission } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { PermissionField } from '#client/settings/directory/permission-field.tsx'
import { channelPermissionLabels } from '#client/settings/labels/permissions.ts'
import { t } from '#client/ui/t.ts'
import { type ChannelPageProps, draftKeyOf } from './channel-page.ts'
import { type ChannelLocks, channelLocks } from './rights.ts'

/** The permissions whose lock is not that of most settings. */
const lockNames: Readonly<Partial<Record<ChannelPermission, keyof ChannelLocks>>> = {
  can_subscribe_group: 'access',
  can_add_subscribers_group: 'access',
  can_delete_own_message_group: 'deletion',
  can_delete_any_message_group: 'deletion',
}

/** Who may do what in a channel. */
export function ChannelPermissions({ channel }: ChannelPageProps) {
  const app = useApp()
  const locks = channelLocks(app, channel)
  const rules = app.store.realm.value.server_supported_permission_settings.stream
  return (
    <section class="setting-group">
      <p class="field-help">
        {t(
          'People who have permission to resolve, move or delete in the whole organization can also do so here, whatever you choose.',
        )}
      </p>
      {(Object.keys(channelPermissionLabels) as ChannelPermission[]).map((name) => (
        <PermissionField
          key={name}
          name={name}
          label={t(channelPermissionLabels[name])}
          rule={rules[name]}
          value={channel.permissions[name]}
          locked={locks[lockNames[name] ?? 'settings']}
          draftKey={draftKeyOf(channel)}
          onEdit={(changes) => app.api.patch(`/streams/${channel.id}`, changes)}
        />
      ))}
    </section>
  )
}
