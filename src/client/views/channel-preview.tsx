import { Settings2 } from 'lucide'
import { useState } from 'preact/hooks'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import { subscribe, unsubscribe } from '#client/actions/message-actions.ts'
import { byName, userName } from '#client/lists/names.ts'
import type { Channel } from '#client/state/model.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { dayText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { ChannelIcon } from './channel-icon.tsx'
import { ServerHtml } from './message-body.tsx'

interface ChannelPreviewProps {
  readonly channelId: number
  readonly onBack: () => void
}

/** What a channel is about, and who is in it, with buttons to join, leave and open it. */
export function ChannelPreview({ channelId, onBack }: ChannelPreviewProps) {
  const app = useApp()
  const { store, router } = app
  const channel = store.channels.get(channelId)
  const subscription = store.subscriptions.get(channelId)
  const [isBusy, setBusy] = useState(false)
  if (!channel) {
    return (
      <div class="browser-preview browser-nothing">
        <p>{t('This channel does not exist, or you may not see it.')}</p>
      </div>
    )
  }
  const known = store.subscribers.get(channelId)
  const names = [...(known?.ids ?? [])].map((id) => userName(id, store)).sort(byName)
  const toggle = async () => {
    setBusy(true)
    await (subscription ? unsubscribe(app, channelId) : subscribe(app, channelId))
    setBusy(false)
  }
  return (
    <article class="browser-preview">
      <button type="button" class="text-button browser-back" onClick={onBack}>
        {t('All channels')}
      </button>
      <header class="browser-head">
        <h3>
          <ChannelIcon channelId={channelId} size={20} /> {channel.name}
        </h3>
        <IconButton
          label={t('Channel menu')}
          icon={Settings2}
          aria-haspopup="menu"
          onClick={(event) => openChannelMenu(app, channelId, event.currentTarget)}
        />
      </header>
      {channel.descriptionHtml ? (
        <ServerHtml html={channel.descriptionHtml} />
      ) : (
        <p class="field-help">{t('Nobody described this channel yet.')}</p>
      )}
      <dl class="browser-facts">
        <div>
          <dt>{t('Who can read it')}</dt>
          <dd>{privacyText(channel)}</dd>
        </div>
        <div>
          <dt>{t('Subscribers')}</dt>
          <dd>{channel.subscriberCount}</dd>
        </div>
        {channel.weeklyTraffic !== null && (
          <div>
            <dt>{t('Messages a week')}</dt>
            <dd>{channel.weeklyTraffic}</dd>
          </div>
        )}
        <div>
          <dt>{t('Created')}</dt>
          <dd>
            {channel.creatorId === null
              ? dayText(channel.dateCreated)
              : t('{day} by {name}', {
                  day: dayText(channel.dateCreated),
                  name: userName(channel.creatorId, store),
                })}
          </dd>
        </div>
      </dl>
      {names.length > 0 && (
        <details>
          <summary>{t('Who is in it')}</summary>
          <p class="field-help">{names.join(', ')}</p>
        </details>
      )}
      <footer class="browser-actions">
        <Button
          kind={subscription ? 'plain' : 'primary'}
          isBusy={isBusy}
          onClick={() => void toggle()}
        >
          {subscription ? t('Unsubscribe') : t('Subscribe')}
        </Button>
        <Button
          onClick={() => router.go({ kind: 'messages', narrow: { kind: 'channel', channelId } })}
        >
          {t('View the channel')}
        </Button>
      </footer>
    </article>
  )
}

function privacyText({ isPrivate, isWebPublic, historyIsPublic }: Channel): string {
  if (isWebPublic) return t('Everybody on the web')
  if (!isPrivate) return t('Everybody in the organization, except guests')
  return historyIsPublic
    ? t('Subscribers, with all of its history')
    : t('Subscribers, from when they came')
}
