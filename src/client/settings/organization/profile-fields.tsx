import { Pencil } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { lockOf } from '#client/settings/setting.tsx'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { ListHead } from '#client/settings/ui/list-head.tsx'
import { OrderedList } from '#client/settings/ui/ordered-list.tsx'
import type { Store } from '#client/state/store.ts'
import { IconButton } from '#client/ui/button.tsx'
import { listText, t, tSent } from '#client/ui/t.ts'
import { accountType, listType, optionsOf, type ProfileField, siteOf } from './field-data.ts'
import { openFieldDialog } from './profile-field-dialog.tsx'

/** The custom profile fields. */
export function ProfileFields() {
  const app = useApp()
  const { store, api } = app
  const locked = lockOf(app)
  return (
    <>
      <ListHead
        help={t('Shown on profiles in this order.')}
        locked={locked}
        add={t('Add a field')}
        onAdd={() => openFieldDialog(undefined)}
      />
      <OrderedList
        label={t('Custom profile fields')}
        rows={store.realm.value.custom_profile_fields}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={t('There are no fields yet.')}
        onOrder={
          locked === undefined
            ? (order) => api.patch('/realm/profile_fields', { order })
            : undefined
        }
        draw={(field) => <Field field={field} />}
        actions={(field) => <FieldButtons field={field} />}
      />
    </>
  )
}

interface FieldProps {
  readonly field: ProfileField
}

function Field({ field }: FieldProps) {
  const { store } = useApp()
  const flags = [
    field.required && t('required'),
    field.display_in_profile_summary && t('on user cards'),
    !field.editable_by_user && t('only administrators can edit'),
  ].filter((flag) => flag !== false)
  return (
    <>
      <strong>{field.name}</strong>
      <span class="field-help">{[describe(field, store), ...flags].join(' · ')}</span>
      {field.hint && <span class="field-help">{field.hint}</span>}
    </>
  )
}

function FieldButtons({ field: { id, name } }: FieldProps) {
  const { api } = useApp()
  return (
    <>
      <IconButton
        label={t('Change {name}', { name })}
        icon={Pencil}
        size={16}
        onClick={() => openFieldDialog(id)}
      />
      <AskingButton
        label={t('Remove {name}', { name })}
        title={t('Remove {name}?', { name })}
        text={t('The values people entered are also deleted.')}
        action={t('Remove')}
        run={() => api.delete(`/realm/profile_fields/${id}`)}
      />
    </>
  )
}

const mostNamed = 4

/** The type of a field, with what it can be. */
function describe(field: ProfileField, { realm }: Store): string {
  const { custom_profile_field_types: types, realm_default_external_accounts: sites } = realm.value
  const type = Object.values(types).find(({ id }) => id === field.type)
  const name = tSent(type?.name ?? '')
  if (field.type === listType) {
    const texts = optionsOf(field).map(({ text }) => text)
    const more = texts.length > mostNamed ? '…' : ''
    return `${name}: ${listText(texts.slice(0, mostNamed), 'narrow')}${more}`
  }
  if (field.type === accountType) {
    const { subtype, urlPattern } = siteOf(field)
    return `${name}: ${sites[subtype]?.text ?? urlPattern}`
  }
  return name
}
