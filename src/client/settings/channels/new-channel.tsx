import type { ChannelPermission } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { FormCheck, FormChoice } from '#client/commands/form-fields.tsx'
import { isAdmin } from '#client/commands/permissions.ts'
import { useSave } from '#client/commands/use-save.ts'
import { anyGroup } from '#client/settings/directory/any-group.ts'
import { NewForm } from '#client/settings/directory/new-form.tsx'
import { channelPermissionLabels } from '#client/settings/labels/permissions.ts'
import { ChoicePicker } from '#client/settings/ui/choice-picker.tsx'
import { useDraft } from '#client/settings/ui/draft.ts'
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
  const { store, router } = app
  const realm = store.realm.value
  const mayPublic = can(store, 'can_create_public_channel_group')
  const draft = useDraft<Typed>(`new channel ${folderId}`)
  const typed: Typed = draft.value?.typed ?? {
    name: '',
    description: '',
    privacy: mayPublic ? 'public' : 'shared',
    folderId,
    topicsPolicy: 'inherit',
    people: { members: [store.selfId], subgroups: [] },
    isDefault: false,
    isAnnounced: realm.realm_new_stream_announcements_stream_id > 0,
    retention: { kind: 'inherit', days: '' },
    permissions: {},
  }
  const saving = useSave(undefined, async () => {
    const { id } = await create(app, typed)
    draft.value = undefined
    app.notify(t('The channel was created.'))
    router.go({ kind: 'channel', channelId: id, section: 'general' }, { replace: true })
  })
  const set = (change: Partial<Typed>) => {
    saving.clear()
    draft.value = { typed: { ...typed, ...change }, base: '' }
  }
  const isOffered = (privacy: Privacy) => {
    if (privacy === 'web-public') return canOpenToWeb(store)
    return privacy === 'public' ? mayPublic : can(store, 'can_create_private_channel_group')
  }
  const isPublic = typed.privacy === 'public' || typed.privacy === 'web-public'
  const folders = folderChoices(store, null)

  return (
    <NewForm
      action={t('Create channel')}
      saving={saving}
      typed={typed}
      longest={{
        name: realm.max_stream_name_length,
        description: realm.max_stream_description_length,
      }}
      isInvalid={retentionOf(typed.retention) === undefined}
      onInput={set}
    >
      <fieldset class="field">
        <legend class="field-label">{t('Who can read it')}</legend>
        <PrivacyChoices
          chosen={typed.privacy}
          isOffered={isOffered}
          onChoose={(privacy) => set({ privacy })}
        />
      </fieldset>
      {folders.length > 1 && (
        <FormChoice
          label={t('Folder')}
          value={typed.folderId}
          choices={folders}
          onChange={(id) => set({ folderId: id })}
        />
      )}
      {(isAdmin(store) || can(store, 'can_set_topics_policy_group')) && (
        <FormChoice
          label={t('Messages without a topic')}
          value={typed.topicsPolicy}
          choices={topicsPolicies()}
          onChange={(topicsPolicy) => set({ topicsPolicy })}
        />
      )}
      <fieldset class="field">
        <legend class="field-label">{t('Subscribers')}</legend>
        <ChoicePicker
          label={t('Subscribers')}
          choice={typed.people}
          rule={anyGroup}
          nobody={t('No one selected yet')}
          onChange={(people) => set({ people })}
        />
      </fieldset>
      {isPublic && isAdmin(store) && (
        <FormCheck
          label={t('Default channel for new users')}
          isChecked={typed.isDefault}
          onChange={(isDefault) => set({ isDefault })}
        />
      )}
      {isPublic && realm.realm_new_stream_announcements_stream_id > 0 && (
        <FormCheck
          label={t('Announce it')}
          isChecked={typed.isAnnounced}
          onChange={(isAnnounced) => set({ isAnnounced })}
        />
      )}
      <details class="fold">
        <summary>{t('Permissions and retention')}</summary>
        <div class="form">
          {realm.is_owner && (
            <fieldset class="field">
              <legend class="field-label">{t('Delete messages')}</legend>
              <RetentionControl
                choice={typed.retention}
                onChange={(retention) => set({ retention })}
              />
            </fieldset>
          )}
          {(Object.keys(channelPermissionLabels) as ChannelPermission[]).map((name) => (
            <NewPermission
              key={name}
              name={name}
              chosen={typed.permissions[name]}
              onChange={(choice) => set({ permissions: { ...typed.permissions, [name]: choice } })}
            />
          ))}
        </div>
      </details>
    </NewForm>
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
  const label = t(channelPermissionLabels[name])
  const usual = allowedGroups(store.groups, rule).find(
    (group) => group.name === rule.default_group_name,
  )
  const isCreator = rule.default_group_name === 'stream_creator_or_nobody'
  const initial = {
    members: isCreator ? [store.selfId] : [],
    subgroups: usual && usual.name !== 'role:nobody' ? [usual.id] : [],
  }
  return (
    <fieldset class="field">
      <legend class="field-label">{label}</legend>
      <ChoicePicker label={label} choice={chosen ?? initial} rule={rule} onChange={onChange} />
    </fieldset>
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
