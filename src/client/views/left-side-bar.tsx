import { useComputed, useSignal } from '@preact/signals'
import {
  AlarmClock,
  AtSign,
  CalendarClock,
  ChevronDown,
  ChevronRight,
  Clock,
  EllipsisVertical,
  Inbox,
  Layers,
  NotebookPen,
  Plus,
  SmilePlus,
  Star,
  UserPlus,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import {
  type ChannelSection,
  type ChannelUnreads,
  channelSections,
  noUnreads,
  unreadsByChannel,
} from '#client/lists/channel-sections.ts'
import type { Narrow, View } from '#client/narrow/narrow.ts'
import { sameNarrow } from '#client/narrow/terms.ts'
import { IconButton } from '#client/ui/button.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { ChannelIcon } from './channel-icon.tsx'
import { channelTarget } from './channel-target.ts'
import { Count } from './count.tsx'
import { DirectList } from './direct-list.tsx'
import { fold, folded } from './folds.ts'
import { ChannelTopics } from './side-topics.tsx'

/** Views, direct messages and channels. */
export function LeftSideBar() {
  const filter = useSignal('')
  return (
    <div class="side-scroller">
      <Views />
      <div class="side-filter">
        <input
          type="search"
          class="input"
          aria-label={t('Filter channels')}
          placeholder={t('Filter channels and people')}
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              document.querySelector<HTMLElement>('.left .side-row .side-link')?.click()
            } else if (event.key !== 'Escape') return
            filter.value = ''
            event.currentTarget.blur()
            event.stopPropagation()
          }}
        />
      </div>
      <DirectList filter={filter.value} />
      <Channels filter={filter.value} />
    </div>
  )
}

function Views() {
  const { store } = useApp()
  const counts = store.unreads.counts.value
  const starred = store.settings.value.starred_message_counts ? store.starred.value.size : 0
  const { drafts } = useApp()
  return (
    <ul class="side-views">
      <ViewLink view={{ kind: 'inbox' }} icon={Inbox} name={t('Inbox')}>
        <Count count={counts.total} />
      </ViewLink>
      <ViewLink view={{ kind: 'recent' }} icon={Clock} name={t('Recent conversations')} />
      <ViewLink view={messages({ kind: 'all' })} icon={Layers} name={t('Combined feed')} />
      <ViewLink view={messages({ kind: 'mentions' })} icon={AtSign} name={t('Mentions')}>
        <Count count={counts.mentions} />
      </ViewLink>
      <ViewLink view={messages({ kind: 'starred' })} icon={Star} name={t('Starred messages')}>
        <Count
          count={starred}
          isQuiet
          label={tn(starred, 'one starred message', '{count} starred messages')}
        />
      </ViewLink>
      <ViewLink view={messages({ kind: 'reactions' })} icon={SmilePlus} name={t('Reactions')} />
      <ViewLink view={{ kind: 'drafts' }} icon={NotebookPen} name={t('Drafts')}>
        <Count
          count={drafts.all.value.length}
          isQuiet
          label={tn(drafts.all.value.length, 'one draft', '{count} drafts')}
        />
      </ViewLink>
      {store.scheduled.all.size > 0 && (
        <ViewLink view={{ kind: 'scheduled' }} icon={CalendarClock} name={t('Scheduled')}>
          <Count
            count={store.scheduled.all.size}
            isQuiet
            label={tn(store.scheduled.all.size, 'one message', '{count} messages')}
          />
        </ViewLink>
      )}
      {store.reminders.all.size > 0 && (
        <ViewLink view={{ kind: 'reminders' }} icon={AlarmClock} name={t('Reminders')}>
          <Count
            count={store.reminders.all.size}
            isQuiet
            label={tn(store.reminders.all.size, 'one reminder', '{count} reminders')}
          />
        </ViewLink>
      )}
    </ul>
  )
}

function messages(narrow: Narrow): View {
  return { kind: 'messages', narrow }
}

interface ViewLinkProps {
  readonly view: View
  readonly icon: IconNode
  readonly name: string
  readonly children?: ComponentChildren
}

function ViewLink({ view, icon, name, children }: ViewLinkProps) {
  const { router } = useApp()
  const isCurrent = isSameView(view, router.view.value)
  return (
    <li class="side-row">
      <a class="side-link" href={router.href(view)} aria-current={isCurrent ? 'page' : undefined}>
        <Icon node={icon} size={16} class="side-icon" />
        <span class="side-name ellipsis">{name}</span>
        {children}
      </a>
    </li>
  )
}

function isSameView(a: View, b: View): boolean {
  if (a.kind === 'messages' && b.kind === 'messages') return sameNarrow(a.narrow, b.narrow)
  return a.kind === b.kind && a.kind !== 'messages'
}

function Channels({ filter }: { readonly filter: string }) {
  const { store, router } = useApp()
  const sections = useComputed(() => channelSections(store))
  const unreads = useComputed(() => unreadsByChannel(store.unreads.conversations.value))
  const isWanted = matcher(filter)
  const shown = sections.value
    .map((section) => ({
      ...section,
      channels: section.channels.filter(({ channel }) => isWanted(channel.name)),
    }))
    .filter(({ channels }) => channels.length > 0)
  const isAlone = shown.length === 1 && shown[0]?.key === 'other'
  return (
    <>
      <div class="side-head side-head-channels">
        <h2>{t('Channels')}</h2>
        <IconButton
          label={t('Browse channels')}
          icon={Plus}
          size={16}
          onClick={() => router.go({ kind: 'channels', tab: 'available' })}
        />
      </div>
      {shown.map((section) => (
        <Section
          key={section.key}
          section={section}
          unreads={unreads.value}
          isOpen={filter !== '' || folded.value[`channels ${section.key}`] !== true}
          hasHead={!isAlone}
        />
      ))}
      {shown.length === 0 && filter !== '' && <p class="side-empty">{t('No such channel')}</p>}
      <a class="side-link side-browse" href={router.href({ kind: 'channels', tab: 'available' })}>
        <Icon node={UserPlus} size={16} class="side-icon" />
        {t('Browse channels')}
      </a>
    </>
  )
}

interface SectionProps {
  readonly section: ChannelSection
  readonly unreads: ReadonlyMap<number, ChannelUnreads>
  readonly isOpen: boolean
  readonly hasHead: boolean
}

function Section({ section, unreads, isOpen, hasHead }: SectionProps) {
  const { key, folder, channels } = section
  const names: Record<string, string> = { pinned: t('Pinned'), other: t('Other channels') }
  const name = folder?.name ?? names[key] ?? ''
  const total = channels.reduce((sum, { channel, subscription }) => {
    return sum + (subscription.isMuted ? 0 : (unreads.get(channel.id)?.count ?? 0))
  }, 0)
  return (
    <div class="side-section">
      {hasHead && (
        <button
          type="button"
          class="side-fold"
          aria-expanded={isOpen}
          onClick={() => fold(`channels ${key}`, isOpen)}
        >
          <Icon node={isOpen ? ChevronDown : ChevronRight} size={14} />
          <span class="ellipsis">{name}</span>
          {!isOpen && <Count count={total} />}
        </button>
      )}
      {isOpen && (
        <ul>
          {channels.map(({ channel, subscription, isInactive }) => {
            const { count, mutedCount, hasMention } = unreads.get(channel.id) ?? noUnreads
            return (
              <ChannelRow
                key={channel.id}
                channelId={channel.id}
                name={channel.name}
                isMuted={subscription.isMuted}
                isFaint={isInactive || subscription.isMuted}
                count={count}
                mutedCount={mutedCount}
                hasMention={hasMention}
              />
            )
          })}
        </ul>
      )}
    </div>
  )
}

interface ChannelRowProps {
  readonly channelId: number
  readonly name: string
  readonly isMuted: boolean
  readonly isFaint: boolean
  readonly count: number
  readonly mutedCount: number
  readonly hasMention: boolean
}

function ChannelRow(props: ChannelRowProps) {
  const { channelId, name, isMuted, isFaint, count, mutedCount, hasMention } = props
  const app = useApp()
  const place = useComputed(() => placeIn(app.router.view.value, channelId))
  const isHere = place.value !== 'elsewhere'
  const isOpen = folded.value[`topics ${channelId}`] === false || isHere
  const shows = showsCount(
    app.store.settings.value.web_stream_unreads_count_display_policy,
    isMuted,
  )
  return (
    <li class="side-channel">
      <div class={isFaint && count === 0 ? 'side-row side-faint' : 'side-row'}>
        <a
          class="side-link"
          href={app.router.href(channelTarget(app, channelId))}
          aria-current={place.value === 'channel' ? 'page' : undefined}
          onContextMenu={(event) => {
            event.preventDefault()
            openChannelMenu(app, channelId, event.currentTarget)
          }}
        >
          <ChannelIcon channelId={channelId} size={15} />
          <span class={count > 0 ? 'side-name side-unread ellipsis' : 'side-name ellipsis'}>
            {name}
          </span>
          {shows ? (
            <Count
              count={count || mutedCount}
              isQuiet={count === 0 || isMuted}
              hasMention={hasMention}
            />
          ) : (
            count + mutedCount > 0 && <span class="count-dot" />
          )}
        </a>
        <IconButton
          class="side-more"
          label={t('Menu of #{channel}', { channel: name })}
          icon={EllipsisVertical}
          size={15}
          aria-haspopup="menu"
          onClick={(event) => openChannelMenu(app, channelId, event.currentTarget)}
        />
        {!isHere && (
          <IconButton
            class="side-toggle"
            label={isOpen ? t('Hide topics of {name}', { name }) : t('Topics of {name}', { name })}
            icon={isOpen ? ChevronDown : ChevronRight}
            size={15}
            aria-expanded={isOpen}
            onClick={() => fold(`topics ${channelId}`, isOpen)}
          />
        )}
      </div>
      {isOpen && <ChannelTopics channelId={channelId} />}
    </li>
  )
}

function showsCount(policy: number, isMuted: boolean): boolean {
  return policy === 1 || (policy === 2 && !isMuted)
}

/** Whether the view shows a channel, or a topic of it. */
function placeIn(view: View, channelId: number): 'channel' | 'topic' | 'elsewhere' {
  if (view.kind === 'topics') return view.channelId === channelId ? 'channel' : 'elsewhere'
  if (view.kind !== 'messages') return 'elsewhere'
  const { narrow } = view
  if (narrow.kind === 'channel' && narrow.channelId === channelId) return 'channel'
  return narrow.kind === 'topic' && narrow.channelId === channelId ? 'topic' : 'elsewhere'
}
