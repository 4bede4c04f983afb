import { RotateCcw, ShieldOff, UserX } from 'lucide'
import { useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { useSave } from '#client/commands/use-save.ts'
import { ComboField } from '#client/compose/combo-field.tsx'
import type { SuggestionRow } from '#client/compose/suggestion-list.tsx'
import { roleNames, roles } from '#client/lists/roles.ts'
import { ProfileField } from '#client/settings/personal/profile-fields.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { ChoiceField } from '#client/settings/ui/choice-field.tsx'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { LockedPage } from '#client/settings/ui/locks.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import type { Role, User } from '#client/state/model.ts'
import { byName, userName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import { askToDeactivate } from './deactivate-dialog.tsx'
import { reactivate } from './reactivate.ts'
import { accountLock } from './rights.ts'

interface PersonProps {
  readonly user: User
}

/** The account settings for administrators; other users only see them. */
export function PersonManagement({ user }: PersonProps) {
  const app = useApp()
  const { store, api } = app
  const isOwnBot = user.isBot && user.ownerId === store.selfId
  const adminLock = accountLock(store, user)
  const lock = isOwnBot ? undefined : adminLock
  const path = user.isBot ? `/bots/${user.id}` : `/users/${user.id}`
  return (
    <div class="setting-group">
      <LockedPage>
        <TextField
          name="full_name"
          draftKey={`full_name of ${user.id}`}
          label={t('Name')}
          value={user.name}
          maxLength={100}
          isRequired
          locked={lock}
          onSave={(full_name) => api.patch(path, { full_name })}
        />
        <RoleField user={user} lock={adminLock} path={path} />
        {user.isBot ? (
          <OwnerField user={user} lock={lock} />
        ) : (
          <ForPeople user={user} lock={lock} />
        )}
        <ActivityField user={user} lock={user.isActive ? lock : adminLock} />
      </LockedPage>
    </div>
  )
}

interface FieldProps extends PersonProps {
  /** Who may change the account, where the user may not. */
  readonly lock: string | undefined
}

function RoleField({ user, lock, path }: FieldProps & { readonly path: string }) {
  const { store, api } = useApp()
  const { is_owner } = store.realm.value
  const own = user.id === store.selfId
  // A user who gives up a role cannot take it back.
  const locked = lock ?? (own ? t('Someone else has to change your role.') : undefined)
  const choices = roles
    .filter((role) => role !== 100 || is_owner || user.role === 100)
    .map((value) => ({ value, label: t(roleNames[value]) }))
  return (
    <ChoiceField<Role>
      name="role"
      label={t('Role')}
      help={is_owner ? undefined : t('Only owners can make someone an owner.')}
      locked={locked}
      value={user.role}
      choices={choices}
      onSave={(role) => api.patch(path, { role })}
    />
  )
}

function ForPeople({ user, lock }: FieldProps) {
  const app = useApp()
  const { custom_profile_fields: fields } = app.store.realm.value
  return (
    <>
      <TextField
        name="new_email"
        draftKey={`new_email of ${user.id}`}
        type="email"
        label={t('Email address')}
        help={t('Only owners can change it, if the server administrator allows it.')}
        value={user.deliveryEmail ?? ''}
        placeholder={user.deliveryEmail === null ? t('Hidden') : ''}
        isRequired
        locked={lock ?? lockOf(app, 'owners')}
        onSave={(new_email) => app.api.patch(`/users/${user.id}`, { new_email: new_email.trim() })}
      />
      {fields.map((field) => (
        <ProfileField
          key={field.id}
          field={field}
          user={user}
          locked={lock}
          onSave={(value) =>
            app.api.patch(`/users/${user.id}`, {
              profile_data: [{ id: field.id, value: value.length === 0 ? null : value }],
            })
          }
        />
      ))}
    </>
  )
}

/** The owner of the bot. */
function OwnerField({ user, lock }: FieldProps) {
  const { store, api } = useApp()
  const [text, setText] = useState('')
  const saving = useSave<number | null>(user.ownerId, (bot_owner_id) =>
    api.patch(`/bots/${user.id}`, { bot_owner_id }),
  )
  const label = t('Owner')
  return (
    <FieldFrame
      name="bot_owner_id"
      label={label}
      help={t('Changing the owner of a bot also changes its API key.')}
      locked={lock}
      as="group"
      status={saving.status}
    >
      <p>{saving.shown === null ? t('Nobody') : userName(saving.shown, store)}</p>
      {lock === undefined && (
        <ComboField
          class="group-add"
          label={t('Another owner')}
          text={text}
          picksFirst
          offer={() => owners(store, user, text)}
          onText={setText}
          onPick={({ key }) => {
            setText('')
            void saving.save(Number(key))
          }}
        />
      )}
    </FieldFrame>
  )
}

const mostOffered = 8

function owners(store: Store, bot: User, text: string): SuggestionRow[] {
  if (text.trim() === '') return []
  const people = [...store.users.current.values()].filter(
    ({ id, isActive, isBot }) => isActive && !isBot && id !== bot.ownerId,
  )
  // Out of thousands, only the people on offer get a picture.
  return rank(people, text, {
    names: ({ name }) => name,
    order: (a, b) => byName(a.name, b.name),
    limit: mostOffered,
  }).map((user) => ({
    key: String(user.id),
    label: user.name,
    picture: <Avatar user={user} size={20} />,
  }))
}

/** Removes the second factor of someone who has lost it, after a confirmation. */
function askToReset({ api, notify }: App, { id, name }: User): void {
  openConfirm({
    title: t('Reset two-factor authentication?'),
    text: t('{name} will be able to log in with just the password.', { name }),
    action: t('Reset it'),
    run: async () => {
      await api.delete(`/users/${id}/two_factor`)
      notify(t('{name} can now log in with just the password.', { name }))
    },
  })
}

/** Whether the account can be used, and the button that changes that. */
function ActivityField({ user, lock }: FieldProps) {
  const app = useApp()
  const isSelf = user.id === app.store.selfId
  const locked =
    lock ?? (isSelf ? t('You can deactivate your own account in your settings.') : undefined)
  return (
    <FieldFrame
      name="is_active"
      label={t('Account')}
      help={
        user.isActive
          ? t('Deactivate people who leave. Their messages stay.')
          : t('The account is deactivated.')
      }
      locked={locked}
      as="group"
      status={{ kind: 'idle' }}
    >
      {locked === undefined && (
        <div class="row cluster">
          {user.isActive ? (
            <>
              <Button kind="danger" icon={UserX} onClick={() => askToDeactivate(user.id)}>
                {t('Deactivate')}
              </Button>
              {!user.isBot && (
                <Button icon={ShieldOff} onClick={() => askToReset(app, user)}>
                  {t('Reset two-factor authentication')}
                </Button>
              )}
            </>
          ) : (
            <Button icon={RotateCcw} onClick={() => void reactivate(app, user)}>
              {t('Reactivate')}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  )
}
