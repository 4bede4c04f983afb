import { openStatusDialog } from '#client/actions/status.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { PictureField } from '#client/settings/ui/picture-field.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { ProfileFields } from './profile-fields.tsx'

/** The longest name, in characters. */
const longestName = 100

/** The user's profile. */
export function Profile() {
  const { store } = useApp()
  const self = store.users.get(store.selfId)
  if (!self) return null
  return (
    <>
      <section class="setting-group">
        <NameField />
        <OwnPictureField />
        <Status />
      </section>
      <ProfileFields user={self} />
    </>
  )
}

/** The user's name. */
export function NameField() {
  const app = useApp()
  const { store, api } = app
  return (
    <TextField
      name="full_name"
      label={t('Name')}
      value={store.users.get(store.selfId)?.name ?? ''}
      maxLength={longestName}
      isRequired
      locked={store.realm.value.realm_name_changes_disabled ? lockOf(app) : undefined}
      onSave={(full_name) => api.patch('/settings', { full_name })}
    />
  )
}

/** The user's picture. */
export function OwnPictureField() {
  const app = useApp()
  const { store, api } = app
  const realm = store.realm.value
  const self = store.users.get(store.selfId)
  if (!self) return null
  return (
    <PictureField
      name="avatar"
      label={t('Picture')}
      shape={{ aspect: 1, longest: 500 }}
      largest={realm.max_avatar_file_size_mib}
      locked={realm.realm_avatar_changes_disabled ? lockOf(app) : undefined}
      onUpload={(file) => api.post('/users/me/avatar', { file })}
      onRemove={realm.avatar_source === 'U' ? () => api.delete('/users/me/avatar') : undefined}
    >
      <Avatar user={self} size={96} />
    </PictureField>
  )
}

function Status() {
  const app = useApp()
  const status = app.store.statuses.get(app.store.selfId)
  return (
    <FieldFrame name="status" label={t('Status')} as="group" status={{ kind: 'idle' }}>
      <div class="row cluster">
        {status ? (
          <p dir="auto">
            <StatusEmoji userId={app.store.selfId} /> {status.text}
          </p>
        ) : (
          <p class="field-help">{t('No status')}</p>
        )}
        <Button onClick={() => openStatusDialog(app)}>{t('Set your status')}</Button>
        {status && (
          <Button kind="quiet" onClick={() => void attempt(app, app.changes.setStatus(undefined))}>
            {t('Clear')}
          </Button>
        )}
      </div>
    </FieldFrame>
  )
}
