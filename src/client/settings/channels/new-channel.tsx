import type { ChannelPermission } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { FormCheck, FormChoice } from '#client/commands/form-fields.tsx'
import { isAdmin } from '#client/commands/permissions.ts'
import { anyGroup } from '#client/settings/directory/any-group.ts'
import { NewForm, useNewForm } from '#client/settings/directory/new-form.tsx'
import { channelPermissionLabels } from '#client/settings/labels/permissions.ts'
import { FormPicker } from '#client/settings/ui/choice-picker.tsx'
import type { FormDraft } from '#client/settings/ui/form-draft.ts'
import {
  allowedGroups,
  chosenValue,
  type GroupChoice,
  peopleOf,
  toWire,
} from '#client/settings/ui/group-value.ts'
import type { Channel } from '#client/state/model.ts'
import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { folderChoices, topicsPolicies } from './choices.ts'
import { type Privacy, privacyToWire } from './privacy.ts'
import { PrivacyChoices } from './privacy-choices.tsx'
import {
  type RetentionChoice,
  RetentionControl,
  retentionOf,
  retentionToWire,
} from './retention-field.tsx'
import { canOpenToWeb } from './rights.ts'

interface Typed {
  readonly name: string
  readonly description: string
  readonly privacy: Privacy
  /** -1: none. */
  readonly folderId: number
  readonly topicsPolicy: Channel['topicsPolicy']
  readonly people: GroupChoice
  readonly isDefault: boolean
  readonly isAnnounced: boolean
  readonly retention: RetentionChoice
  /** If they differ from the defaults. */
  readonly permissions: Readonly<Partial<Record<ChannelPermission, GroupChoice>>>
}

interface NewChannelProps {
  /** The folder that the address names. */
  readonly folderId: number | undefined
}

/** The form that creates a channel. Its draft outlives it. */
export function NewChannel({ folderId = -1 }: NewChannelProps) {
  const app = useApp()
  const { store } = app
  const { max_stream_name_length, max_stream_description_length } = store.realm.value
  const { draft, saving } = useNewForm(
    `new channel ${folderId}`,
    { ...initialValues(store), folderId },
    {
      async create(typed) {
        const { id } = await create(app, typed)
        return { kind: 'channel', channelId: id, section: 'general' }
      },
      done: t('The channel was created.'),
    },
  )
  const { privacy, people, retention } = draft.values
  const folders = folderChoices(store, null)
  return (
    <NewForm
      action={t('Create channel')}
      saving={saving}
      draft={draft}
      longest={{ name: max_stream_name_length, description: max_stream_description_length }}
      isInvalid={retentionOf(retention) === undefined}
    >
      <NewPrivacy chosen={privacy} onChoose={draft.set('privacy')} />
      {folders.length > 1 && (
        <FormChoice label={t('Folder')} choices={folders} {...draft.choice('folderId')} />
      )}
      {(isAdmin(store) || can(store, 'can_set_topics_policy_group')) && (
        <FormChoice
          label={t('Messages without a topic')}
          choices={topicsPolicies()}
          {...draft.choice('topicsPolicy')}
        />
      )}
      <FormPicker
        label={t('Subscribers')}
        choice={people}
        rule={anyGroup}
        nobody={t('No one selected yet')}
        onChange={draft.set('people')}
      />
      {(privacy === 'public' || privacy === 'web-public') && <PublicFields draft={draft} />}
      <details class="fold">
        <summary>{t('Permissions and retention')}</summary>
        <div class="form">
          <NewRights draft={draft} />
        </div>
      </details>
    </NewForm>
  )
}

function initialValues(store: Store): Typed {
  return {
    name: '',
    description: '',
    privacy: can(store, 'can_create_public_channel_group') ? 'public' : 'shared',
    folderId: -1,
    topicsPolicy: 'inherit',
    people: { members: [store.selfId], subgroups: [] },
    isDefault: false,
    isAnnounced: isAnnouncing(store),
    retention: { kind: 'inherit', days: '' },
    permissions: {},
  }
}

/** Whether the organization has a channel for announcements of new ones. */
function isAnnouncing({ realm }: Store): boolean {
  return realm.value.realm_new_stream_announcements_stream_id > 0
}

interface NewPrivacyProps {
  readonly chosen: Privacy
  readonly onChoose: (privacy: Privacy) => void
}

function NewPrivacy(props: NewPrivacyProps) {
  const { store } = useApp()
  const isOffered = (privacy: Privacy) => {
    if (privacy === 'web-public') return canOpenToWeb(store)
    return can(
      store,
      privacy === 'public' ? 'can_create_public_channel_group' : 'can_create_private_channel_group',
    )
  }
  return (
    <fieldset class="field">
      <legend class="field-label">{t('Who can read it')}</legend>
      <PrivacyChoices {...props} isOffered={isOffered} />
    </fieldset>
  )
}

interface FieldsProps {
  readonly draft: FormDraft<Typed>
}

/** The fields that only public channels have. */
function PublicFields({ draft }: FieldsProps) {
  const { store } = useApp()
  return (
    <>
      {isAdmin(store) && (
        <FormCheck label={t('Default channel for new users')} {...draft.check('isDefault')} />
      )}
      {isAnnouncing(store) && (
        <FormCheck label={t('Announce it')} {...draft.check('isAnnounced')} />
      )}
    </>
  )
}

/** How long messages are kept, and who has which permission. */
function NewRights({ draft }: FieldsProps) {
  const { store } = useApp()
  const { retention, permissions } = draft.values
  return (
    <>
      {store.realm.value.is_owner && (
        <fieldset class="field">
          <legend class="field-label">{t('Delete messages')}</legend>
          <RetentionControl choice={retention} onChange={draft.set('retention')} />
        </fieldset>
      )}
      {(Object.keys(channelPermissionLabels) as ChannelPermission[]).map((name) => (
        <NewPermission
          key={name}
          name={name}
          chosen={permissions[name]}
          onChange={(choice) => draft.change({ permissions: { ...permissions, [name]: choice } })}
        />
      ))}
    </>
  )
}

interface NewPermissionProps {
  readonly name: ChannelPermission
  /** Undefined: as new channels have it. */
  readonly chosen: GroupChoice | undefined
  readonly onChange: (choice: GroupChoice) => void
}

/** Who has a permission of the new channel. */
function NewPermission({ name, chosen, onChange }: NewPermissionProps) {
  const { store } = useApp()
  const rule = store.realm.value.server_supported_permission_settings.stream[name]
  if (!rule) return null
  const usual = allowedGroups(store.groups, rule).find(
    (group) => group.name === rule.default_group_name,
  )
  const isCreator = rule.default_group_name === 'stream_creator_or_nobody'
  const initial = {
    members: isCreator ? [store.selfId] : [],
    subgroups: usual && usual.name !== 'role:nobody' ? [usual.id] : [],
  }
  return (
    <FormPicker
      label={t(channelPermissionLabels[name])}
      choice={chosen ?? initial}
      rule={rule}
      onChange={onChange}
    />
  )
}

/** The permissions that were chosen, as the server takes them. */
function permissionsToWire({ groups }: Store, chosen: Typed['permissions']) {
  return Object.fromEntries(
    Object.entries(chosen).map(([name, choice]) => [name, toWire(chosenValue(choice, groups))]),
  )
}

/** @throws CallError */
function create({ api, store }: App, typed: Typed): Promise<{ readonly id: number }> {
  const { isPrivate, rest } = privacyToWire(typed.privacy)
  return api.post('/channels/create', {
    name: typed.name.trim(),
    description: typed.description.trim(),
    subscribers: peopleOf(typed.people, store),
    invite_only: isPrivate,
    ...rest,
    topics_policy: typed.topicsPolicy,
    is_default_stream: typed.isDefault && !isPrivate,
    announce: typed.isAnnounced && !isPrivate,
    ...(typed.retention.kind !== 'inherit' && {
      message_retention_days: retentionToWire(retentionOf(typed.retention) ?? null),
    }),
    ...permissionsToWire(store, typed.permissions),
    ...(typed.folderId >= 0 && { folder_id: typed.folderId }),
  })
}
