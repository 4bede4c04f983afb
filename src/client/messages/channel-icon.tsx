import { Archive, Globe, Hash, Lock } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

interface ChannelIconProps {
  readonly channelId: number
  readonly size?: number
}

/** Shows the kind of a channel, in the user's color for it. */
export function ChannelIcon({ channelId, size = 16 }: ChannelIconProps) {
  const app = useApp()
  const ref = useRef<HTMLSpanElement>(null)
  const channel = app.store.channels.get(channelId)
  const color = app.store.subscriptions.get(channelId)?.color
  useLayoutEffect(() => {
    if (color) ref.current?.style.setProperty('--channel-color', color)
    else ref.current?.style.removeProperty('--channel-color')
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
