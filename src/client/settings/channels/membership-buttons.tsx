import { useApp } from '#client/app-context.ts'
import { leaveChannel } from '#client/commands/leave-channel.ts'
import { subscribe } from '#client/commands/subscriptions.ts'
import { useBusy } from '#client/commands/use-busy.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import type { ChannelPageProps } from './channel-page.ts'
import { canRead } from './rights.ts'

/** Joins, leaves and opens a channel. */
export function MembershipButtons({ channel }: ChannelPageProps) {
  const app = useApp()
  const { store, router } = app
  const { id } = channel
  const [isBusy, busily] = useBusy()
  const isSubscribed = store.subscriptions.get(id) !== undefined
  const isReader = canRead(store, channel)
  return (
    <div class="row cluster">
      {isSubscribed ? (
        <Button isBusy={isBusy} onClick={() => void busily(leaveChannel(app, channel))}>
          {t('Unsubscribe')}
        </Button>
      ) : (
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={!isReader || channel.isArchived}
          onClick={() => void busily(subscribe(app, id))}
        >
          {t('Subscribe')}
        </Button>
      )}
      {isReader ? (
        <Button
          onClick={() =>
            router.go({ kind: 'messages', narrow: { kind: 'channel', channelId: id } })
          }
        >
          {t('View the channel')}
        </Button>
      ) : (
        <p class="field-help">{t('This channel is private. Someone in it has to add you.')}</p>
      )}
    </div>
  )
}
