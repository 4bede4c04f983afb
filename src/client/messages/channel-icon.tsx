import { Archive, Globe, Hash, Lock } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { automaticColors } from '#shared/channel-colors.ts'

interface ChannelIconProps {
  readonly channelId: number
  readonly size?: number
}

const automatic: ReadonlySet<string> = new Set(automaticColors)

/** Shows the kind of a channel, in the color that the user chose for it, if any. */
export function ChannelIcon({ channelId, size = 16 }: ChannelIconProps) {
  const app = useApp()
  const ref = useRef<HTMLSpanElement>(null)
  const channel = app.store.channels.get(channelId)
  const color = app.store.subscriptions.get(channelId)?.color
  useLayoutEffect(() => {
    const isChosen = color !== undefined && !automatic.has(color)
    // Near enough to the ink to be seen on either paper.
    const shown = isChosen ? `color-mix(in oklab, ${color} 62%, var(--ink))` : null
    ref.current?.style.setProperty('--channel-color', shown)
  }, [color])
  return (
    <span ref={ref} class="channel-icon">
      {channel?.isArchived ? (
        <Icon node={Archive} size={size} label={t('Archived channel')} />
      ) : channel?.isPrivate ? (
        <Icon node={Lock} size={size} label={t('Private channel')} />
      ) : channel?.isWebPublic ? (
        <Icon node={Globe} size={size} label={t('Web-public channel')} />
      ) : (
        <Icon node={Hash} size={size} />
      )}
    </span>
  )
}
