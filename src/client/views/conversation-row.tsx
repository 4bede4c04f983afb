import { type ReadonlySignal, useSignalEffect } from '@preact/signals'
import { Bell, BellOff, CheckCheck } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { openDirectMenu } from '#client/actions/direct-menu.ts'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import type { InboxConversation } from '#client/lists/inbox.ts'
import type { ReadPlace } from '#client/state/marking.ts'
import { plainTopic } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { Count } from './count.tsx'
import { DirectFace } from './direct-face.tsx'
import { Snippet, SnippetFace, SnippetTime } from './parts.ts'

/**
 * Fetches and keeps the newest messages of conversations whose rows a view shows, and handles
 * fingers on the rows.
 *
 * @param newest the messages, in the order of the rows
 * @param placeOf what a row stands for, by its key
 * @returns for the element around the rows
 */
export function useConversationRows(
  newest: ReadonlySignal<readonly number[]>,
  placeOf: (key: string | undefined) => ReadPlace | undefined,
): RefObject<HTMLDivElement | null> {
  const app = useApp()
  useEffect(() => app.store.holdMessages(() => newest.peek()), [app, newest])
  useSignalEffect(() => {
    const ids = newest.value
    void import('#client/lists/newest-messages.ts').then(
      ({ fetchMissing }) => fetchMissing(app, ids),
      // Then rows have no text.
      () => undefined,
    )
  })
  const view = useRef<HTMLDivElement>(null)
  const places = useRef(placeOf)
  places.current = placeOf
  useEffect(() => {
    if (!matchMedia('(any-pointer: coarse)').matches) return
    const listeners = new AbortController()
    const { signal } = listeners
    import('./inbox-fingers.ts').then(
      ({ followInboxFingers }) => {
        const placeOfRow = (row: HTMLElement) => places.current(row.dataset.key)
        if (view.current && !signal.aborted) {
          followInboxFingers(app, view.current, placeOfRow, signal)
        }
      },
      // Then the buttons do the same.
      () => undefined,
    )
    return () => listeners.abort()
  }, [app])
  return view
}

interface ConversationRowProps {
  readonly one: Pick<
    InboxConversation,
    'key' | 'conversation' | 'name' | 'count' | 'hasMention' | 'policy' | 'newestId'
  >
  /** How large the picture of people is, in pixels. */
  readonly faceSize?: number
}

/** A conversation with what was said last in it, and how much of it is unread. */
export function ConversationRow({ one, faceSize = 24 }: ConversationRowProps) {
  const app = useApp()
  const { key, conversation, name, count, hasMention, policy, newestId } = one
  const isTopic = conversation.kind === 'topic'
  const isGroup = !isTopic && conversation.userIds.length > 1
  return (
    <li
      class={
        isTopic ? 'row inbox-row inbox-row-said inbox-row-topic' : 'row inbox-row inbox-row-said'
      }
      data-read={count === 0}
      data-row
      data-key={key}
    >
      <a
        class="row grow inbox-link"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        onContextMenu={(event) => {
          event.preventDefault()
          const { currentTarget } = event
          if (!isTopic) return openDirectMenu(app, conversation.userIds, currentTarget)
          openTopicMenu(app, conversation.channelId, conversation.topic, currentTarget)
        }}
      >
        {isTopic && (
          <span class="inbox-face">
            <SnippetFace messageId={newestId} />
          </span>
        )}
        {!isTopic && <DirectFace userIds={conversation.userIds} size={faceSize} />}
        <span class="grow inbox-words">
          <span class="row inbox-name">
            <span
              class={isTopic && conversation.topic === '' ? 'ellipsis topic-empty' : 'ellipsis'}
              dir="auto"
            >
              {isTopic ? plainTopic(name).name : name}
            </span>
            {policy === 3 && <Icon node={Bell} size={14} class="side-mark" label={t('Followed')} />}
            {policy === 1 && <Icon node={BellOff} size={14} class="side-mark" label={t('Muted')} />}
          </span>
          <Snippet messageId={newestId} saysSender={isTopic || isGroup} />
        </span>
      </a>
      <SnippetTime messageId={newestId} />
      <Count count={count} hasMention={hasMention} isPersonal={!isTopic} />
      {count > 0 && (
        <IconButton
          class="inbox-read"
          label={t('Mark {name} as read', { name })}
          icon={CheckCheck}
          size={16}
          onClick={() => void markAllRead(app, conversation)}
        />
      )}
    </li>
  )
}
