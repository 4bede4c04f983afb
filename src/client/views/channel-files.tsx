import { useEffect, useState } from 'preact/hooks'
import type { WireMessage } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { kindOf } from '#client/messages/file-links.ts'
import { parseInert } from '#client/messages/inert-html.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { shortText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

/** What has files, pinned messages and a description of its own. */
export type DetailedPlace = Extract<Narrow, { kind: 'channel' | 'topic' }>

interface File {
  readonly href: string
  readonly name: string
  readonly messageId: number
  readonly timestamp: number
}

/** How many of the newest messages with files are searched, and how many files are shown. */
const mostMessages = 20
const mostFiles = 8

/** The newest files of a channel or topic. */
export function ChannelFiles({ narrow }: { readonly narrow: DetailedPlace }) {
  const { api, store } = useApp()
  const [files, setFiles] = useState<readonly File[] | 'failed' | undefined>()
  useEffect(() => {
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
  }, [])
  if (files === undefined) return <p class="side-empty">{t('Loading…')}</p>
  if (files === 'failed') return <p class="side-empty">{t('Could not load the files.')}</p>
  if (files.length === 0) return <p class="side-empty">{t('No files yet')}</p>
  return (
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
