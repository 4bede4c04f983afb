import { useComputed, useSignal } from '@preact/signals'
import { CheckCheck, ChevronDown, ChevronRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useApp } from '#client/app-context.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { type Inbox, type InboxChannel, type InboxSection, inboxOf } from '#client/lists/inbox.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import type { ReadPlace } from '#client/state/marking.ts'
import { IconButton } from '#client/ui/button.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { channelTarget } from './channel-target.ts'
import { ConversationRow, useConversationRows } from './conversation-row.tsx'
import { Count } from './count.tsx'
import { fold, folded } from './folds.ts'
import { EmptyInbox } from './parts.ts'

const onIcon = pointing(ChevronRight)

/** Everything unread, by channel and conversation. */
export function InboxView() {
  const app = useApp()
  const filter = useSignal('')
  const inbox = useComputed(() => inboxOf(app.store, filter.value))
  const { direct, directCount, sections, isFilteredOut } = inbox.value
  const isEmpty = direct.length === 0 && sections.length === 0
  const newest = useComputed(() => newestIn(inbox.value))
  const view = useConversationRows(newest, (key) => placeIn(inbox.peek(), key))
  return (
    <div ref={view} class="view">
      {(!isEmpty || filter.value !== '') && (
        <div class="row cluster view-tools">
          <FilterField
            label={t('Filter the inbox')}
            placeholder={t('Filter')}
            value={filter.value}
            onChange={(text) => {
              filter.value = text
            }}
            onChoose={() => {
              const { direct: people, sections: parts } = inbox.peek()
              const first = people[0] ?? parts[0]?.channels[0]?.topics[0]
              if (first) app.router.go({ kind: 'messages', narrow: first.conversation })
            }}
          />
        </div>
      )}
      {isEmpty && <EmptyInbox isFilteredOut={isFilteredOut} />}
      {direct.length > 0 && (
        <Part id="direct" name={t('Direct messages')} count={directCount}>
          {direct.map((one) => (
            <ConversationRow key={one.key} one={one} />
          ))}
        </Part>
      )}
      {sections.map((section) => (
        <Section key={section.key} section={section} isOnly={sections.length === 1} />
      ))}
    </div>
  )
}

/** The newest messages of all conversations, in the order of the rows. */
function newestIn({ direct, sections }: Inbox): number[] {
  const topics = sections.flatMap(({ channels }) => channels.flatMap((one) => one.topics))
  return [...direct, ...topics].map(({ newestId }) => newestId)
}

/** What a row stands for, by its key. */
function placeIn({ direct, sections }: Inbox, key: string | undefined): ReadPlace | undefined {
  for (const { channels } of sections) {
    for (const { channel, topics } of channels) {
      if (channelKey(channel.id) === key) return { kind: 'channel', channelId: channel.id }
      const topic = topics.find((one) => one.key === key)
      if (topic) return topic.conversation
    }
  }
  return direct.find((one) => one.key === key)?.conversation
}

const channelKey = (channelId: number): string => `channel ${channelId}`

function Section({ section, isOnly }: { section: InboxSection; isOnly: boolean }) {
  const { key, folder, count, hasMention, channels } = section
  const names: Record<string, string> = {
    pinned: t('Pinned channels'),
    other: isOnly ? t('Channels') : t('Other channels'),
    muted: t('Mentions in muted channels'),
  }
  return (
    <Part id={key} name={folder?.name ?? names[key] ?? ''} count={count} hasMention={hasMention}>
      {channels.map((channel) => (
        <ChannelPart key={channel.channel.id} one={channel} />
      ))}
    </Part>
  )
}

interface PartProps {
  readonly id: string
  readonly name: string
  readonly count: number
  readonly hasMention?: boolean
  readonly children: ComponentChildren
}

function Part({ id, name, count, hasMention, children }: PartProps) {
  const key = `inbox ${id}`
  const isOpen = folded.value[key] !== true
  return (
    <section class="inbox-part" aria-label={name}>
      <h2 class="inbox-head" data-row>
        <button
          type="button"
          class="row inbox-fold"
          aria-expanded={isOpen}
          onClick={() => fold(key, isOpen)}
        >
          <Icon node={isOpen ? ChevronDown : onIcon} size={16} />
          {name}
          <Count count={count} hasMention={hasMention ?? false} />
        </button>
      </h2>
      {isOpen && <ul>{children}</ul>}
    </section>
  )
}

function ChannelPart({ one }: { readonly one: InboxChannel }) {
  const app = useApp()
  const { channel, count, hasMention, topics } = one
  const key = `inbox channel ${channel.id}`
  const isOpen = folded.value[key] !== true
  return (
    <li>
      <div class="row inbox-row inbox-row-channel" data-row data-key={channelKey(channel.id)}>
        <IconButton
          label={
            isOpen
              ? t('Fold {name}', { name: channel.name })
              : t('Open {name}', { name: channel.name })
          }
          icon={isOpen ? ChevronDown : onIcon}
          size={14}
          aria-expanded={isOpen}
          onClick={() => fold(key, isOpen)}
        />
        <a class="row grow inbox-link" href={app.router.href(channelTarget(app, channel.id))}>
          <ChannelIcon channelId={channel.id} size={15} />
          <span class="ellipsis">{channel.name}</span>
        </a>
        <Count count={count} hasMention={hasMention} isQuiet={one.isMuted} />
        <IconButton
          class="inbox-read"
          label={t('Mark #{channel} as read', { channel: channel.name })}
          icon={CheckCheck}
          size={16}
          onClick={() => void markAllRead(app, { kind: 'channel', channelId: channel.id })}
        />
      </div>
      {isOpen && (
        <ul>
          {topics.map((topic) => (
            <ConversationRow key={topic.key} one={topic} />
          ))}
        </ul>
      )}
    </li>
  )
}
