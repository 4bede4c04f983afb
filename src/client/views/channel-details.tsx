import { useEffect, useState } from 'preact/hooks'
import { PinList } from '#client/actions/pin-list.tsx'
import type { WireMessage } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { usePins } from '#client/commands/pins.ts'
import { kindOf } from '#client/messages/file-links.ts'
import { parseInert } from '#client/messages/inert-html.ts'
import { ServerHtml } from '#client/messages/message-body.tsx'
import type { Narrow } from '#client/narrow/narrow.ts'
import { shortText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

type Place = Extract<Narrow, { kind: 'channel' | 'topic' }>

/** The details of a channel or topic: description, pinned messages, files. */
export function ChannelDetails({ narrow }: { readonly narrow: Place }) {
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

interface File {
  readonly href: string
  readonly name: string
  readonly messageId: number
  readonly timestamp: number
}

/** How many of the newest messages with files are searched, and how many files are shown. */
const mostMessages = 20
const mostFiles = 8

/** The newest files, fetched on demand. */
function Files({ narrow }: { readonly narrow: Place }) {
  const { api, store } = useApp()
  const [isOpen, setOpen] = useState(false)
  const [files, setFiles] = useState<readonly File[] | 'failed' | undefined>()
  useEffect(() => {
    if (!isOpen) return
    let isOver = false
    const terms = [
      ['channel', narrow.channelId],
      ...(narrow.kind === 'topic' ? [['topic', narrow.topic]] : []),
      ['has', 'attachment'],
    ]
    api
      .get<{ messages: WireMessage[] }>('/messages', {
        narrow: terms.map(([operator, operand]) => ({ operator, operand })),
        anchor: 'newest',
        num_before: mostMessages,
        num_after: 0,
        allow_empty_topic_name: true,
      })
      .then(
        ({ messages }) => !isOver && setFiles(messages.reverse().flatMap(filesOf)),
        () => !isOver && setFiles('failed'),
      )
    return () => {
      isOver = true
    }
  }, [isOpen])
  return (
    <details
      class="side-details fold"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('Files')}</summary>
      {files === 'failed' && <p class="side-empty">{t('Could not load the files.')}</p>}
      {files === undefined && <p class="side-empty">{t('Loading…')}</p>}
      {Array.isArray(files) && files.length === 0 && <p class="side-empty">{t('No files yet')}</p>}
      {Array.isArray(files) && (
        <ul>
          {files.slice(0, mostFiles).map(({ href, name, messageId, timestamp }) => (
            <li key={`${messageId} ${href}`}>
              <a class="row side-file" href={href} target="_blank" rel="noopener noreferrer">
                <span class="side-file-kind" aria-hidden="true">
                  {kindOf(href)}
                </span>
                <span class="side-name ellipsis" dir="auto" title={name}>
                  {name}
                </span>
                <span class="snippet-time">{shortText(timestamp, store.settings.value)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

function filesOf({ id, content, timestamp }: WireMessage): File[] {
  const { body } = parseInert(content)
  const found = new Map<string, File>()
  for (const link of body.querySelectorAll('a[href^="/user_uploads/"]')) {
    const href = link.getAttribute('href') ?? ''
    const name = link.textContent?.trim() || (href.split('/').at(-1) ?? href)
    if (!found.has(href)) found.set(href, { href, name, messageId: id, timestamp })
  }
  return [...found.values()]
}
