import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { usePins } from '#client/commands/pins.ts'
import { ServerHtml } from '#client/messages/message-body.tsx'
import { lazy } from '#client/ui/lazy.tsx'
import { t } from '#client/ui/t.ts'
import type { DetailedPlace } from './channel-files.tsx'

const ChannelFiles = lazy(async () => (await import('./channel-files.tsx')).ChannelFiles)
const PinList = lazy(async () => (await import('#client/actions/pin-list.tsx')).PinList, {
  isOptional: true,
})

/** The details of a channel or topic: description, pinned messages, files. */
export function ChannelDetails({ narrow }: { readonly narrow: DetailedPlace }) {
  const app = useApp()
  const { channelId } = narrow
  const channel = app.store.channels.get(channelId)
  const pins = usePins(app, narrow)
  if (!channel) return null
  return (
    <>
      {channel.descriptionHtml !== '' && (
        <details class="side-details fold" open>
          <summary>{t('About this channel')}</summary>
          <div class="side-about rendered" dir="auto">
            <ServerHtml html={channel.descriptionHtml} />
          </div>
        </details>
      )}
      {pins.length > 0 && (
        <details class="side-details fold" open>
          <summary>{t('Pinned messages')}</summary>
          <PinList pins={pins} saysTopic={narrow.kind === 'channel'} />
        </details>
      )}
      <Files key={narrow.kind === 'topic' ? narrow.topic : ''} narrow={narrow} />
    </>
  )
}

function Files({ narrow }: { readonly narrow: DetailedPlace }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="side-details fold"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('Files')}</summary>
      {isOpen && <ChannelFiles narrow={narrow} />}
    </details>
  )
}
