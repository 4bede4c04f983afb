import { useApp } from '#client/app-context.ts'
import { lockOf } from '#client/settings/setting.tsx'
import { ChoiceField } from '#client/settings/ui/choice-field.tsx'
import { GroupField } from '#client/settings/ui/group-field.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import type { User } from '#client/state/model.ts'
import type { Realm } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { fieldChoices, userIdsOf } from './profile-values.ts'

type Field = Realm['custom_profile_fields'][number]

/** The organization's own fields of a profile. */
export function ProfileFields({ user }: { readonly user: User }) {
  const app = useApp()
  const fields = app.store.realm.value.custom_profile_fields
  const path = '/users/me/profile_data'
  if (fields.length === 0) return null
  return (
    <section class="setting-group">
      <h4>{t('About you')}</h4>
      {fields.map((field) => (
        <ProfileField
          key={field.id}
          field={field}
          user={user}
          locked={field.editable_by_user ? undefined : lockOf(app)}
          onSave={(value) =>
            value.length === 0
              ? app.api.delete(path, { data: [field.id] })
              : app.api.patch(path, { data: [{ id: field.id, value }] })
          }
        />
      ))}
    </section>
  )
}

interface ProfileFieldProps {
  readonly field: Field
  readonly user: User
  /** Who may change it, where the user may not. */
  readonly locked: string | undefined
  /** Takes a value of the API; an empty text or list clears the field. @throws CallError */
  readonly onSave: (value: string | readonly number[]) => Promise<unknown>
}

/** Types of fields by their number in the API. */
const types = { long: 2, choice: 3, date: 4, link: 5, people: 6 } as const

/** A field of someone's profile, to fill in. */
export function ProfileField({ field, user, locked, onSave }: ProfileFieldProps) {
  const { id, type, name, hint, field_data, required } = field
  const value = user.profile[id]?.value ?? ''
  const shared = {
    name: `profile-field-${id}`,
    draftKey: `profile-field-${id} of ${user.id}`,
    label: required ? t('{name} (required)', { name }) : name,
    help: hint || undefined,
    locked,
  }
  switch (type) {
    case types.choice:
      return (
        <ChoiceField
          {...shared}
          value={value}
          choices={[{ value: '', label: t('None') }, ...fieldChoices(field_data)]}
          onSave={onSave}
        />
      )
    case types.people:
      return (
        <GroupField
          {...shared}
          rule={undefined}
          value={{ members: userIdsOf(value), subgroups: [] }}
          onSave={(next) => onSave(typeof next === 'number' ? [] : next.members)}
        />
      )
    default:
      return (
        <TextField
          {...shared}
          value={value}
          isLong={type === types.long}
          type={type === types.date ? 'date' : type === types.link ? 'url' : 'text'}
          onSave={(text) => onSave(text.trim())}
        />
      )
  }
}
