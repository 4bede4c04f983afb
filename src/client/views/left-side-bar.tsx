import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import {
  AlarmClock,
  AtSign,
  Bookmark,
  CalendarClock,
  ChevronDown,
  ChevronRight,
  Clock,
  Compass,
  EllipsisVertical,
  Inbox,
  Layers,
  NotebookPen,
  Plus,
  SmilePlus,
  SquarePen,
  Star,
} from 'lucide'
import { useMemo, useRef } from 'preact/hooks'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { keyHint } from '#client/commands/key-bindings.ts'
import { beginConversation } from '#client/compose/begin-conversation.ts'
import { channelsWithUnreads } from '#client/lists/channel-sections.ts'
import {
  type SidebarChannel,
  type SidebarSection,
  type SidebarView,
  sidebarChannels,
  sidebarDirects,
  sidebarViews,
} from '#client/lists/sidebar.ts'
import { topicsOf } from '#client/lists/topics.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import type { View } from '#client/narrow/narrow.ts'
import { sameNarrow } from '#client/narrow/terms.ts'
import { IconButton } from '#client/ui/button.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon, type IconNode, pointing } from '#client/ui/icon.tsx'
import { LongList } from '#client/ui/long-list.tsx'
import { t, tn } from '#client/ui/t.ts'
import { BarHandle } from './bar-handle.tsx'
import { channelTarget } from './channel-target.ts'
import { Count } from './count.tsx'
import { DirectList } from './direct-list.tsx'
import { fold, folded } from './folds.ts'
import { MoreUnreads } from './more-unreads.tsx'
import { ChannelTopics } from './side-topics.tsx'

const onIcon = pointing(ChevronRight)

/** Views, direct messages and channels. */
export function LeftSideBar() {
  const app = useApp()
  const filter = useSignal('')
  const scroller = useRef<HTMLDivElement>(null)
  useCurrentInSight(scroller)
  return (
    <>
      <div ref={scroller} class="side-scroller">
        <Views />
        <div class="row side-filter">
          <FilterField
            label={t('Filter channels')}
            placeholder={t('Filter channels and people')}
            value={filter.value}
            onChange={(text) => {
              filter.value = text
            }}
            onChoose={() => {
              const first = firstInSideBar(app, filter.peek())
              if (first) app.router.go(first)
            }}
          />
          <IconButton
            class="side-new"
            label={t('New conversation')}
            hint={`${t('New conversation')} (${keyHint('compose-topic')})`}
            icon={SquarePen}
            onClick={() => beginConversation(app)}
          />
        </div>
        <MoreUnreads scroller={scroller} side="above" />
        <DirectList filter={filter.value} />
        <Channels filter={filter.value} />
        <MoreUnreads scroller={scroller} side="below" />
      </div>
      <BarHandle bar="left" />
    </>
  )
}

/** What a filter of the side bar leaves first: a direct conversation, or else a channel or its topic. */
function firstInSideBar(app: App, filter: string): View | undefined {
  const { store } = app
  const [direct] = sidebarDirects(store, { filter }).directs
  if (direct) return { kind: 'messages', narrow: direct.conversation }
  const channel = sidebarChannels(store, filter)[0]?.channels[0]?.channel
  if (!channel) return undefined
  const topic = matcher(filter)(channel.name)
    ? undefined
    : topicsOf(store, channel.id, { filter })[0]
  return topic ? { kind: 'messages', narrow: topic.conversation } : channelTarget(app, channel.id)
}

/** Keeps the entry of the open view in sight while topics are added around it, until the user scrolls. */
function useCurrentInSight(scroller: { readonly current: HTMLElement | null }): void {
  const { router } = useApp()
  useSignalEffect(() => {
    router.view.value
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => showCurrent(element))
    for (const part of element.children) observer.observe(part)
    const stop = () => observer.disconnect()
    const events = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
    for (const event of events) element.addEventListener(event, stop, { passive: true })
    return () => {
      stop()
      for (const event of events) element.removeEventListener(event, stop)
    }
  })
}

/** Scrolls the entry of the open view into sight, with a little around it. */
function showCurrent(scroller: HTMLElement): void {
  const entry = scroller.querySelector('[aria-current="page"]')
  if (!entry) return
  const [box, sight] = [entry.getBoundingClientRect(), scroller.getBoundingClientRect()]
  const around = 2 * box.height
  if (box.top < sight.top) scroller.scrollTop -= sight.top - box.top + around
  else if (box.bottom > sight.bottom) scroller.scrollTop += box.bottom - sight.bottom + around
}

/** By the fragments of built-in views; saved ones have a bookmark. */
const viewIcons: Readonly<Record<string, IconNode>> = {
  inbox: Inbox,
  recent: Clock,
  feed: Layers,
  'narrow/is/mentioned': AtSign,
  'narrow/is/starred': Star,
  'narrow/has/reaction/sender/me': SmilePlus,
  drafts: NotebookPen,
  scheduled: CalendarClock,
  reminders: AlarmClock,
}

function Views() {
  const { drafts, store } = useApp()
  // Drafts change at every key, their number seldom.
  const draftCount = useComputed(() => drafts.all.value.length)
  const views = useComputed(() => sidebarViews(store, draftCount.value))
  const showsAll = folded.value.views === false
  const pinned = views.value.filter(({ isPinned }) => isPinned)
  return (
    <ul>
      {(showsAll ? views.value : pinned).map((view) => (
        <ViewLink key={view.fragment} {...view} />
      ))}
      {pinned.length < views.value.length && (
        <MoreRow
          showsAll={showsAll}
          fewer={t('Fewer views')}
          more={t('More views')}
          onClick={() => fold('views', showsAll)}
        />
      )}
    </ul>
  )
}

interface MoreRowProps {
  readonly showsAll: boolean
  readonly fewer: string
  readonly more: string
  readonly onClick: () => void
}

/** Shows or hides the rest of a list. */
function MoreRow({ showsAll, fewer, more, onClick }: MoreRowProps) {
  return (
    <li class="side-row">
      <button
        type="button"
        class="row side-link side-all-topics"
        aria-expanded={showsAll}
        onClick={onClick}
      >
        {showsAll ? fewer : more}
      </button>
    </li>
  )
}

function ViewLink({ fragment, view, name, count, isQuiet }: SidebarView) {
  const { router } = useApp()
  const isCurrent = isSameView(view, router.view.value)
  return (
    <li class="side-row">
      <a
        class="row side-link"
        href={router.href(view)}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Icon node={viewIcons[fragment] ?? Bookmark} size={16} class="side-icon" />
        <span class="side-name ellipsis">{name}</span>
        <Count
          count={count}
          isQuiet={isQuiet}
          label={isQuiet ? tn(count, 'one entry', '{count} entries') : undefined}
        />
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
  const view = router.view.value
  const current =
    view.kind === 'messages' && view.narrow.kind === 'direct' ? view.narrow : undefined
  // Nothing moves away under the hand that opens it: what was read leaves the unread ones at the next place.
  const place = channelIn(view)
  const lately = useMemo(() => channelsWithUnreads(store), [store, place])
  const sections = sidebarChannels(store, filter, lately)
  const isAlone = sections.length === 1 && sections[0]?.key === 'other'
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
      {sections.map((section) => (
        <Section
          key={section.key}
          section={section}
          isOpen={filter !== '' || folded.value[`channels ${section.key}`] !== true}
          hasHead={!isAlone}
        />
      ))}
      {sections.length === 0 && filter !== '' && (
        <p class="side-empty">
          {sidebarDirects(store, { filter, current }).directs.length > 0
            ? t('No matching channels')
            : t('No matching channels or people')}
        </p>
      )}
      <a
        class="row side-link side-browse"
        href={router.href({ kind: 'channels', tab: 'available' })}
      >
        <Icon node={Compass} size={16} class="side-icon" />
        {t('Browse channels')}
      </a>
    </>
  )
}

interface SectionProps {
  readonly section: SidebarSection
  readonly isOpen: boolean
  readonly hasHead: boolean
}

function Section({ section, isOpen, hasHead }: SectionProps) {
  const { key, folder, count, channels, lesser } = section
  const { view } = useApp().router
  const names: Record<string, string> = { pinned: t('Pinned'), other: t('Other channels') }
  const name = folder?.name ?? names[key] ?? ''
  const showsAll = folded.value[`lesser ${key}`] === false
  const open = lesser.filter(({ channel }) => placeIn(view.value, channel.id) !== 'elsewhere')
  return (
    <div class="side-section">
      {hasHead && (
        <button
          type="button"
          class="row tight side-fold"
          aria-expanded={isOpen}
          onClick={() => fold(`channels ${key}`, isOpen)}
        >
          <Icon node={isOpen ? ChevronDown : onIcon} size={14} />
          <span class="ellipsis">{name}</span>
          {!isOpen && <Count count={count} />}
        </button>
      )}
      {isOpen && (
        <LongList
          items={[...channels, ...(showsAll ? lesser : open)]}
          keeps={({ channel, count: unread, hasMention }) =>
            unread > 0 || hasMention || channelIn(view.value) === channel.id
          }
          draw={(each) => <ChannelRow key={each.channel.id} {...each} />}
        >
          {lesser.length > 0 && (
            <MoreRow
              showsAll={showsAll}
              fewer={t('Fewer channels')}
              more={tn(
                lesser.length,
                'one quiet or muted channel',
                '{count} quiet or muted channels',
              )}
              onClick={() => fold(`lesser ${key}`, showsAll)}
            />
          )}
        </LongList>
      )}
    </div>
  )
}

function ChannelRow(props: SidebarChannel) {
  const { channel, isMuted, isInactive, count, mutedCount, hasMention, showsCount } = props
  const { id: channelId, name } = channel
  const isFaint = isInactive || isMuted
  const app = useApp()
  const place = useComputed(() => placeIn(app.router.view.value, channelId))
  // It depends on the topics of all channels: a message would draw every row again.
  const href = useComputed(() => app.router.href(channelTarget(app, channelId)))
  const isHere = place.value !== 'elsewhere'
  const isOpen = folded.value[`topics ${channelId}`] === false || isHere
  return (
    <li>
      <div class={isFaint && count === 0 ? 'side-row side-faint' : 'side-row'}>
        <a
          class="row side-link"
          href={href.value}
          aria-current={place.value === 'channel' ? 'page' : undefined}
          onContextMenu={(event) => {
            event.preventDefault()
            openChannelMenu(app, channelId, event.currentTarget)
          }}
        >
          <ChannelIcon channelId={channelId} size={15} />
          <span
            class={count > 0 ? 'side-name side-unread ellipsis' : 'side-name ellipsis'}
            dir="auto"
            title={name}
          >
            {name}
          </span>
          {showsCount ? (
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
            icon={isOpen ? ChevronDown : onIcon}
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

/** The channel that a view shows, or a topic of it. */
function channelIn(view: View): number | undefined {
  if (view.kind === 'topics') return view.channelId
  if (view.kind !== 'messages') return undefined
  const { narrow } = view
  return narrow.kind === 'channel' || narrow.kind === 'topic' ? narrow.channelId : undefined
}

/** Whether the view shows a channel, or a topic of it. */
function placeIn(view: View, channelId: number): 'channel' | 'topic' | 'elsewhere' {
  if (channelIn(view) !== channelId) return 'elsewhere'
  return view.kind === 'messages' && view.narrow.kind === 'topic' ? 'topic' : 'channel'
}
