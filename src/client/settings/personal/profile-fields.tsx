import { lockOf } from '#client/settings/setting.tsx'
import { ChoiceField } from '#client/settings/ui/choice-field.tsx'
import { GroupField } from '#client/settings/ui/group-field.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import type { User } from '#client/state/model.ts'
import type { Realm } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
import { fieldChoices, userIdsOf } from './profile-values.ts'

type Field = Realm['custom_profile_fields'][number]

/** The organization's own fields of a profile. */
export function ProfileFields({ user }: { readonly user: User }) {
  const { store } = useApp()
  const fields = store.realm.value.custom_profile_fields
  if (fields.length === 0) return null
  return (
    <section class="setting-group">
      <h4>{t('About you')}</h4>
      {fields.map((field) => (
        <ProfileField key={field.id} field={field} value={user.profile[field.id]?.value ?? ''} />
      ))}
    </section>
  )
}

interface ProfileFieldProps {
  readonly field: Field
  /** As the API has it; empty for none. */
  readonly value: string
}

/** Types of fields by their number in the API. */
const types = { long: 2, choice: 3, date: 4, link: 5, people: 6 } as const

function ProfileField({ field, value }: ProfileFieldProps) {
  const app = useApp()
  const { id, type, name, hint, field_data, required } = field
  const path = '/users/me/profile_data'
  const save = (next: string | readonly number[]) =>
    next.length === 0
      ? app.api.delete(path, { data: [id] })
      : app.api.patch(path, { data: [{ id, value: next }] })
  const shared = {
    name: `profile-field-${id}`,
    label: required ? t('{name} (required)', { name }) : name,
    help: hint || undefined,
    locked: field.editable_by_user ? undefined : lockOf(app),
  }
  switch (type) {
    case types.choice:
      return (
        <ChoiceField
          {...shared}
          value={value}
          choices={[{ value: '', label: t('None') }, ...fieldChoices(field_data)]}
          onSave={save}
        />
      )
    case types.people:
      return (
        <GroupField
          {...shared}
          rule={undefined}
          value={{ members: userIdsOf(value), subgroups: [] }}
          onSave={(next) => save(typeof next === 'number' ? [] : next.members)}
        />
      )
    default:
      return (
        <TextField
          {...shared}
          value={value}
          isLong={type === types.long}
          type={type === types.date ? 'date' : type === types.link ? 'url' : 'text'}
          onSave={(text) => save(text.trim())}
        />
      )
  }
}
