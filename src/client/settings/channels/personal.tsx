import { useApp } from '#client/app-context.ts'
import { subscribe } from '#client/commands/subscriptions.ts'
import { ColorField } from '#client/settings/ui/color-field.tsx'
import { ToggleField } from '#client/settings/ui/toggle-field.tsx'
import { subscriptionNames } from '#client/state/from-wire.ts'
import type { Subscription } from '#client/state/model.ts'
import type { SubscriptionProperty } from '#client/state/optimistic.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { text } from '#translations/translate.ts'
import type { ChannelPageProps } from './channel-page.ts'
import { canRead } from './rights.ts'

/** The user's own settings of a channel. */
export function ChannelPersonal({ channel }: ChannelPageProps) {
  const app = useApp()
  const subscription = app.store.subscriptions.get(channel.id)
  if (subscription) return <OwnSettings subscription={subscription} />
  return (
    <section class="setting-group">
      <p>{t('You are not subscribed to this channel, so there is nothing to set for yourself.')}</p>
      {canRead(app.store, channel) && !channel.isArchived && (
        <div class="row cluster">
          <Button kind="primary" onClick={() => void subscribe(app, channel.id)}>
            {t('Subscribe')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The switches of notifications, each with the setting that acts where the channel has none. */
const notices = [
  ['desktop_notifications', text('Desktop'), 'enable_stream_desktop_notifications'],
  ['audible_notifications', text('Sound'), 'enable_stream_audible_notifications'],
  ['push_notifications', text('Mobile'), 'enable_stream_push_notifications'],
  ['email_notifications', text('Email'), 'enable_stream_email_notifications'],
  ['wildcard_mentions_notify', text('Mentions of everyone'), 'wildcard_mentions_notify'],
] as const

function OwnSettings({ subscription }: { readonly subscription: Subscription }) {
  const { store, changes } = useApp()
  const settings = store.settings.value
  const { channelId, color, isPinned, isMuted } = subscription
  const save = (property: SubscriptionProperty) => (value: boolean | string) =>
    changes.changeSubscription(channelId, property, value)
  return (
    <>
      <section class="setting-group">
        <h4>{t('Sidebar')}</h4>
        <ColorField name="color" label={t('Colour')} value={color} onSave={save('color')} />
        <ToggleField
          name="pin_to_top"
          label={t('Pin to the top')}
          value={isPinned}
          onSave={save('pin_to_top')}
        />
        <ToggleField
          name="is_muted"
          label={t('Mute')}
          help={t(
            'Its messages are not counted as unread, and only mentions and followed topics notify you.',
          )}
          value={isMuted}
          onSave={save('is_muted')}
        />
      </section>
      <section class="setting-group">
        <h4>{t('Notifications')}</h4>
        {notices.map(([property, label, setting]) => {
          const own = subscription[subscriptionNames[property]]
          return (
            <ToggleField
              key={property}
              name={property}
              label={t(label)}
              help={own === null ? t('Same as your settings for all channels.') : undefined}
              value={own ?? settings[setting]}
              onSave={save(property)}
            />
          )
        })}
      </section>
    </>
  )
}
