import {
  BellOff,
  CheckCheck,
  Hash,
  Link,
  ListChecks,
  LogIn,
  LogOut,
  Palette,
  Pin,
  Settings2,
  SquarePen,
} from 'lucide'
import type { App } from '#client/app.ts'
import { copy } from '#client/commands/copy.ts'
import { leaveChannel } from '#client/commands/leave-channel.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { setSubscription, subscribe } from '#client/commands/subscriptions.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Channel, Subscription } from '#client/state/model.ts'
import { pointing } from '#client/ui/icon.tsx'
import { Menu, type MenuItem } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'

const enterIcon = pointing(LogIn)
const leaveIcon = pointing(LogOut)

interface ChannelMenuProps {
  readonly app: App
  readonly channelId: number
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** The menu of a channel. */
export function ChannelMenu({ app, channelId, anchor, onClose }: ChannelMenuProps) {
  const { store, router } = app
  const channel = store.channels.get(channelId)
  if (!channel) return null
  const subscription = store.subscriptions.get(channelId)
  const unread = store.unreads.counts.value.channels.get(channelId) ?? 0
  const narrow = { kind: 'channel', channelId } as const
  return (
    <Menu
      label={channel.name}
      anchor={anchor}
      onClose={onClose}
      items={[
        { kind: 'heading', label: channel.name },
        unread > 0 && {
          label: t('Mark all as read'),
          icon: CheckCheck,
          onSelect: () => void markAllRead(app, narrow),
        },
        {
          label: t('New topic'),
          icon: SquarePen,
          onSelect: () => app.compose.open({ kind: 'topic', channelId, topic: '' }),
        },
        {
          label: t('All messages'),
          icon: Hash,
          href: router.href({ kind: 'messages', narrow }),
        },
        {
          label: t('All topics'),
          icon: ListChecks,
          href: router.href({ kind: 'topics', channelId }),
        },
        {
          label: t('Copy link'),
          icon: Link,
          onSelect: () => {
            const hash = router.href({ kind: 'messages', narrow })
            void copy(app, `${location.origin}/${hash}`, t('Link copied.'))
          },
        },
        {
          label: t('Channel settings'),
          icon: Settings2,
          href: router.href({
            kind: 'channel',
            channelId,
            section: subscription ? 'personal' : 'general',
          }),
        },
        { kind: 'separator' },
        ...subscriptionItems(app, channel, subscription),
      ]}
    />
  )
}

function subscriptionItems(
  app: App,
  channel: Channel,
  subscription: Subscription | undefined,
): readonly (MenuItem | false | undefined)[] {
  const { id: channelId } = channel
  const loadColors = async () => (await import('./color-dialog.tsx')).ColorDialog
  return [
    subscription && {
      label: t('Pin to the top'),
      icon: Pin,
      checked: subscription.isPinned,
      onSelect: () => void setSubscription(app, channelId, 'pin_to_top', !subscription.isPinned),
    },
    subscription && {
      label: t('Mute'),
      icon: BellOff,
      checked: subscription.isMuted,
      onSelect: () => void setSubscription(app, channelId, 'is_muted', !subscription.isMuted),
    },
    subscription && {
      label: t('Change colour'),
      icon: Palette,
      onSelect: () => void openLazy(app, loadColors, { app, channelId }),
    },
    subscription
      ? {
          label: t('Unsubscribe'),
          icon: leaveIcon,
          isDanger: true,
          onSelect: () => void leaveChannel(app, channel),
        }
      : {
          label: t('Subscribe'),
          icon: enterIcon,
          onSelect: () => void subscribe(app, channelId),
        },
  ]
}
