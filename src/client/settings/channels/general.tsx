import { Archive, ArchiveRestore } from 'lucide'
import type { CallParams } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { tellWithUndo } from '#client/commands/attempt.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { DescriptionField } from '#client/settings/directory/description-field.tsx'
import { Created, Facts } from '#client/settings/directory/facts.tsx'
import { ChoiceField } from '#client/settings/ui/choice-field.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { ToggleField } from '#client/settings/ui/toggle-field.tsx'
import type { Channel } from '#client/state/model.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { type ChannelPageProps, draftKeyOf } from './channel-page.ts'
import { folderChoices, topicsPolicies } from './choices.ts'
import { MailAddress } from './mail-address.tsx'
import { MembershipButtons } from './membership-buttons.tsx'
import { PrivacyField } from './privacy-field.tsx'
import { RetentionField } from './retention-field.tsx'
import { type ChannelLocks, channelLocks } from './rights.ts'

/** The general settings of a channel: name, description, privacy and others. */
export function ChannelGeneral({ channel }: ChannelPageProps) {
  const app = useApp()
  const locks = channelLocks(app, channel)
  const realm = app.store.realm.value
  const draftKey = draftKeyOf(channel)
  return (
    <>
      <section class="setting-group">
        <MembershipButtons channel={channel} />
        <TextField
          name="name"
          draftKey={`${draftKey} name`}
          label={t('Name')}
          locked={locks.settings}
          isRequired
          maxLength={realm.max_stream_name_length}
          value={channel.name}
          onSave={(new_name) => edit(app, channel, { new_name })}
        />
        <DescriptionField
          draftKey={`${draftKey} description`}
          value={channel.description}
          html={channel.descriptionHtml}
          maxLength={realm.max_stream_description_length}
          locked={locks.settings}
          onSave={(description) => edit(app, channel, { description })}
        />
        <Facts
          facts={[
            [t('Created'), <Created at={channel.dateCreated} by={channel.creatorId} />],
            [t('Subscribers'), channel.subscriberCount],
            // None in whole days before today may mean that all are of today.
            channel.weeklyTraffic ? [t('Messages per week'), channel.weeklyTraffic] : undefined,
          ]}
        />
      </section>
      <section class="setting-group">
        <h4>{t('Privacy')}</h4>
        <PrivacyField channel={channel} />
      </section>
      <ChannelWorkings channel={channel} locks={locks} />
      <MailAddress channel={channel} />
      <ArchiveButton channel={channel} locks={locks} />
    </>
  )
}

function edit({ api }: App, { id }: Channel, changes: CallParams): Promise<unknown> {
  return api.patch(`/streams/${id}`, changes)
}

interface WithLocks extends ChannelPageProps {
  readonly locks: ChannelLocks
}

function ChannelWorkings({ channel, locks }: WithLocks) {
  const app = useApp()
  const { store } = app
  const isDefault = store.realm.value.realm_default_streams.includes(channel.id)
  return (
    <section class="setting-group">
      <h4>{t('How it works')}</h4>
      <ChoiceField<number>
        name="folder_id"
        label={t('Folder')}
        locked={locks.settings}
        value={channel.folderId ?? -1}
        choices={folderChoices(store, channel.folderId)}
        onSave={(id) => edit(app, channel, { folder_id: id < 0 ? null : id })}
      />
      <ChoiceField
        name="topics_policy"
        label={t('Messages without a topic')}
        locked={locks.topicsPolicy}
        value={channel.topicsPolicy}
        choices={topicsPolicies()}
        onSave={(topics_policy) => edit(app, channel, { topics_policy })}
      />
      <RetentionField channel={channel} />
      <ToggleField
        name="is_default_stream"
        label={t('Default channel for new users')}
        locked={locks.defaults}
        value={isDefault}
        onSave={(is_default_stream) => edit(app, channel, { is_default_stream })}
      />
      <ToggleField
        name="default_push_notifications"
        label={t('Turn on mobile notifications for new subscribers')}
        help={t('Each subscriber can change this.')}
        locked={locks.defaults}
        value={channel.defaultPushNotifications}
        onSave={(default_push_notifications) => edit(app, channel, { default_push_notifications })}
      />
    </section>
  )
}

function ArchiveButton({ channel, locks }: WithLocks) {
  const app = useApp()
  const { name, isArchived } = channel
  const archive = () =>
    openConfirm({
      title: t('Archive {channel}?', { channel: name }),
      text: t(
        'No one will be able to send messages here, and the channel disappears from the left sidebar. Existing messages stay readable for those who had access. You can unarchive it later.',
      ),
      action: t('Archive'),
      run: async () => {
        await app.api.delete(`/streams/${channel.id}`)
        tellWithUndo(app, t('{channel} is archived.', { channel: `#${name}` }), () =>
          edit(app, channel, { is_archived: false }),
        )
      },
    })
  const reopen = () =>
    openConfirm({
      title: t('Unarchive {channel}?', { channel: name }),
      text: t('Its subscribers are restored, and messages can be sent again.'),
      action: t('Unarchive'),
      run: async () => void (await edit(app, channel, { is_archived: false })),
    })
  return (
    <section class="setting-group">
      <h4>{t('Archive')}</h4>
      <p class="field-help">
        {isArchived
          ? t('This channel is archived. You can read it, but no one can send messages here.')
          : t('An archived channel can be read, but no one can send messages to it.')}
      </p>
      {locks.settings === undefined ? (
        <div class="row cluster">
          {isArchived ? (
            <Button icon={ArchiveRestore} onClick={reopen}>
              {t('Unarchive')}
            </Button>
          ) : (
            <Button icon={Archive} kind="danger" onClick={archive}>
              {t('Archive the channel')}
            </Button>
          )}
        </div>
      ) : (
        <LockNote locked={locks.settings} />
      )}
    </section>
  )
}
