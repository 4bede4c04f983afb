import { useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { Preview } from '#client/compose/preview.tsx'
import { lockOf, RealmSettingGroups } from '#client/settings/setting.tsx'
import { PictureField } from '#client/settings/ui/picture-field.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { useSettled } from '#client/settings/ui/use-settled.ts'
import { dayText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'
import { Deactivation } from './deactivation.tsx'
import { OrganizationIcon, OrganizationName } from './identity.tsx'

/** The name, description and pictures of the organization. */
export function OrganizationProfile() {
  const app = useApp()
  const { store, api } = app
  const realm = store.realm.value
  const locked = lockOf(app)
  return (
    <>
      <section class="setting-group">
        <h4>{t('Name and description')}</h4>
        <OrganizationName />
        <TextField
          name="description"
          draftKey="realm description"
          label={t('Description')}
          help={t('Markdown. Apps show it on the login page.')}
          locked={locked}
          isLong
          value={realm.realm_description}
          preview={(text) => <DescriptionPreview text={text} />}
          onSave={(description) => api.patch('/realm', { description })}
        />
        <p class="field-help">
          {t('{address}, since {day}', {
            address: realm.realm_url,
            day: dayText(realm.realm_date_created),
          })}
        </p>
      </section>
      <section class="setting-group">
        <h4>{t('Pictures')}</h4>
        <OrganizationIcon />
        <Logo isNight={false} locked={locked} />
        <Logo isNight locked={locked} />
      </section>
      <RealmSettingGroups section="organization-profile" />
      <Deactivation />
    </>
  )
}

function DescriptionPreview({ text }: { readonly text: string }) {
  const focus = useRef<HTMLElement>(null)
  const settled = useSettled(text)
  return settled.trim() === '' ? null : <Preview text={settled} focusRef={focus} />
}

interface PictureProps {
  readonly locked: string | undefined
}

/** The wide picture that replaces icon and name. */
function Logo({ isNight, locked }: PictureProps & { readonly isNight: boolean }) {
  const { store, api } = useApp()
  const realm = store.realm.value
  const url = isNight ? realm.realm_night_logo_url : realm.realm_logo_url
  const source = isNight ? realm.realm_night_logo_source : realm.realm_logo_source
  const label = isNight ? t('Wide logo for dark theme') : t('Wide logo')
  return (
    <PictureField
      name={isNight ? 'night_logo' : 'logo'}
      label={label}
      help={
        isNight
          ? t('Shown in dark theme.')
          : t('Replaces the icon and name at the top. At most 8 times as wide as it is tall.')
      }
      locked={locked}
      largest={realm.max_logo_file_size_mib}
      onUpload={(file) => api.post('/realm/logo', { file, night: isNight })}
      onRemove={source === 'U' ? () => api.delete('/realm/logo', { night: isNight }) : undefined}
    >
      <span class={isNight ? 'center realm-logo realm-logo-night' : 'center realm-logo'}>
        {source === 'U' ? <img src={url} alt={label} /> : t('None')}
      </span>
    </PictureField>
  )
}
