import { useApp } from '#client/app-context.ts'
import { subscribe } from '#client/commands/message-actions.ts'
import { ColourField } from '#client/settings/ui/colour-field.tsx'
import { ToggleField } from '#client/settings/ui/toggle-field.tsx'
import { subscriptionNames } from '#client/state/from-wire.ts'
import type { Subscription } from '#client/state/model.ts'
import type { SubscriptionProperty } from '#client/state/optimistic.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { text } from '#translations/translate.ts'
import type { ChannelPageProps } from './channel-page.ts'
import { canRead } from './rights.ts'

/** A channel as the user wants it for themselves. */
export function ChannelPersonal({ channel }: ChannelPageProps) {
  const app = useApp()
  const subscription = app.store.subscriptions.get(channel.id)
  if (subscription) return <OwnSettings subscription={subscription} />
  return (
    <section class="setting-group">
      <p>{t('You are not subscribed to this channel, so there is nothing to set for yourself.')}</p>
      {canRead(app.store, channel) && !channel.isArchived && (
        <div class="button-row">
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
  ['desktop_notifications', text('On the desktop'), 'enable_stream_desktop_notifications'],
  ['audible_notifications', text('With a sound'), 'enable_stream_audible_notifications'],
  ['push_notifications', text('On phones'), 'enable_stream_push_notifications'],
  ['email_notifications', text('By mail'), 'enable_stream_email_notifications'],
  ['wildcard_mentions_notify', text('Of mentions of everybody'), 'wildcard_mentions_notify'],
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
        <h4>{t('In the side bar')}</h4>
        <ColourField name="color" label={t('Colour')} value={color} onSave={save('color')} />
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
            'Its messages do not count, and notify you only of mentions and followed topics.',
          )}
          value={isMuted}
          onSave={save('is_muted')}
        />
      </section>
      <section class="setting-group">
        <h4>{t('Notify me of its messages')}</h4>
        {notices.map(([property, label, setting]) => {
          const own = subscription[subscriptionNames[property]]
          return (
            <ToggleField
              key={property}
              name={property}
              label={t(label)}
              help={own === null ? t('As in your settings for all channels.') : undefined}
              value={own ?? settings[setting]}
              onSave={save(property)}
            />
          )
        })}
      </section>
    </>
  )
}
