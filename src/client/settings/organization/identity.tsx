import { useApp } from '#client/app-context.ts'
import { lockOf } from '#client/settings/setting.tsx'
import { PictureField } from '#client/settings/ui/picture-field.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { t } from '#client/ui/t.ts'

/** The name of the organization. */
export function OrganizationName() {
  const app = useApp()
  return (
    <TextField
      name="name"
      draftKey="realm name"
      label={t('Name')}
      locked={lockOf(app)}
      isRequired
      value={app.store.realm.value.realm_name}
      onSave={(name) => app.api.patch('/realm', { name })}
    />
  )
}

/** The square picture of the organization. */
export function OrganizationIcon() {
  const app = useApp()
  const { store, api } = app
  const realm = store.realm.value
  return (
    <PictureField
      name="icon"
      label={t('Icon')}
      locked={lockOf(app)}
      shape={{ aspect: 1, longest: 400 }}
      largest={realm.max_icon_file_size_mib}
      onUpload={(file) => api.post('/realm/icon', { file })}
      onRemove={realm.realm_icon_source === 'U' ? () => api.delete('/realm/icon') : undefined}
    >
      <img class="realm-icon" src={realm.realm_icon_url} alt={t('Icon')} width={64} height={64} />
    </PictureField>
  )
}
