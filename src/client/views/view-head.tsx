import type { Signal } from '@preact/signals'
import {
  AlarmClock,
  ArrowLeft,
  AtSign,
  BellOff,
  CalendarClock,
  Check,
  Clock,
  Inbox,
  Layers,
  ListTree,
  MessagesSquare,
  MoreVertical,
  NotebookPen,
  Search,
  SmilePlus,
  SquarePen,
  Star,
  Users,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import { openDirectMenu } from '#client/actions/direct-menu.ts'
import { openPersonMenu } from '#client/actions/person-menu.tsx'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import type { Narrow, View } from '#client/narrow/narrow.ts'
import { conversationKey } from '#client/state/model.ts'
import {
  channelName,
  peopleNames,
  plainDescription,
  plainTopic,
  topicName,
} from '#client/state/names.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { Icon, type IconNode, pointing } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { DirectFace } from './direct-face.tsx'
import { openUserCard } from './open-user-card.ts'
import {
  DirectCallButtons,
  GroupAbout,
  PersonAbout,
  PinsButton,
  SearchActions,
  TopicAbout,
  TopicActions,
} from './parts.ts'

const backIcon = pointing(ArrowLeft)
const topicsIcon = pointing(ListTree)

/** The panes of which a phone shows one at a time. */
export type PaneName = 'left' | 'main' | 'right'

interface ViewHeadProps {
  readonly view: View
  readonly pane: Signal<PaneName>
}

/** What is shown, above it. */
export function ViewHead({ view, pane }: ViewHeadProps) {
  return (
    <header class="row head">
      <Back view={view} pane={pane} />
      <Title view={view} />
      <span class="head-people">
        <IconButton
          label={t('People')}
          icon={Users}
          onClick={() => {
            pane.value = 'right'
          }}
        />
      </span>
    </header>
  )
}

/** Leads on a phone to where one chooses what is shown; the places of its bar need none. */
function Back({ view, pane }: ViewHeadProps) {
  const { router } = useApp()
  if (view.kind === 'inbox' || view.kind === 'direct') return null
  const isDirect =
    view.kind === 'messages' && (view.narrow.kind === 'direct' || view.narrow.kind === 'all-direct')
  return (
    <span class="head-back">
      <IconButton
        label={isDirect ? t('Back to direct messages') : t('Back to views and channels')}
        icon={backIcon}
        onClick={() => {
          if (isDirect) router.go({ kind: 'direct' })
          else pane.value = 'left'
        }}
      />
    </span>
  )
}

function Title({ view }: { readonly view: View }) {
  switch (view.kind) {
    case 'inbox':
      return <InboxTitle />
    case 'recent':
      return <Plain icon={Clock} title={t('Recent conversations')} />
    case 'direct':
      return <DirectsTitle />
    case 'drafts':
      return <Plain icon={NotebookPen} title={t('Drafts')} />
    case 'scheduled':
      return <Plain icon={CalendarClock} title={t('Scheduled messages')} />
    case 'reminders':
      return <Plain icon={AlarmClock} title={t('Reminders')} />
    case 'topics':
      return <ChannelTitle channelId={view.channelId} isTopics />
    case 'messages':
      return <NarrowTitle narrow={view.narrow} />
  }
}

function InboxTitle() {
  const app = useApp()
  const { total } = app.store.unreads.counts.value
  const load = async () => (await import('#client/actions/inbox-menu-view.tsx')).InboxMenu
  return (
    <Plain icon={Inbox} title={t('Inbox')}>
      {total > 0 && (
        <span class="head-actions">
          <IconButton
            label={t('Inbox menu')}
            icon={MoreVertical}
            aria-haspopup="menu"
            onClick={({ currentTarget: anchor }) => void openLazy(app, load, { app, anchor })}
          />
        </span>
      )}
    </Plain>
  )
}

function DirectsTitle() {
  const { compose, router } = useApp()
  return (
    <Plain icon={MessagesSquare} title={t('Direct messages')}>
      <span class="head-actions">
        <HeadLink
          href={router.href({ kind: 'messages', narrow: { kind: 'all-direct' } })}
          icon={Layers}
          label={t('All direct messages')}
        />
        <IconButton
          class="head-wide"
          label={t('New direct message')}
          icon={SquarePen}
          onClick={() => compose.open({ kind: 'direct', userIds: [] })}
        />
      </span>
    </Plain>
  )
}

interface HeadLinkProps {
  readonly href: string
  readonly icon: IconNode
  readonly label: string
}

function HeadLink({ href, icon, label }: HeadLinkProps) {
  return (
    <a class="icon-button" href={href} aria-label={label} title={label}>
      <Icon node={icon} />
    </a>
  )
}

function NarrowTitle({ narrow }: { readonly narrow: Narrow }) {
  switch (narrow.kind) {
    case 'all':
      return <Plain icon={Layers} title={t('Combined feed')} />
    case 'channel':
      return <ChannelTitle channelId={narrow.channelId} />
    case 'topic':
      return <TopicTitle channelId={narrow.channelId} topic={narrow.topic} />
    case 'direct':
      return <DirectTitle userIds={narrow.userIds} />
    case 'all-direct':
      return <AllDirectTitle />
    case 'mentions':
      return <Plain icon={AtSign} title={t('Mentions')} />
    case 'starred':
      return <Plain icon={Star} title={t('Starred messages')} />
    case 'reactions':
      return <Plain icon={SmilePlus} title={t('Reactions')} />
    case 'search':
      return (
        <Plain icon={Search} title={t('Search results')}>
          <SearchActions narrow={narrow} />
        </Plain>
      )
  }
}

function AllDirectTitle() {
  const { href } = useApp().router
  return (
    <Plain icon={MessagesSquare} title={t('All direct messages')}>
      <span class="head-actions">
        <HeadLink href={href({ kind: 'direct' })} icon={topicsIcon} label={t('Direct messages')} />
      </span>
    </Plain>
  )
}

interface PlainProps {
  readonly icon: IconNode
  readonly title: string
  readonly children?: ComponentChildren
}

function Plain({ icon, title, children }: PlainProps) {
  return (
    <>
      <Icon node={icon} size={18} class="head-icon" />
      <span class="head-words">
        <h1 class="head-title ellipsis">{title}</h1>
      </span>
      {children}
    </>
  )
}

interface ChannelTitleProps {
  readonly channelId: number
  readonly isTopics?: boolean
}

function ChannelTitle({ channelId, isTopics }: ChannelTitleProps) {
  const app = useApp()
  const channel = app.store.channels.get(channelId)
  const isMuted = app.store.subscriptions.get(channelId)?.isMuted
  const { href } = app.router
  return (
    <>
      <ChannelIcon channelId={channelId} size={18} />
      <span class="head-words">
        <span class="head-line">
          <h1 class="head-title ellipsis">{channelName(channelId, app.store)}</h1>
          {isMuted && <Icon node={BellOff} size={15} class="head-mark" label={t('Muted')} />}
        </span>
        {channel && (
          <span class="head-about ellipsis">
            {[
              tn(channel.subscriberCount, 'one subscriber', '{count} subscribers'),
              plainDescription(channel),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )}
      </span>
      {channel && (
        <span class="head-actions">
          <HeadLink
            href={
              isTopics
                ? href({ kind: 'messages', narrow: { kind: 'channel', channelId } })
                : href({ kind: 'topics', channelId })
            }
            icon={isTopics ? MessagesSquare : topicsIcon}
            label={isTopics ? t('All messages') : t('List of topics')}
          />
          <IconButton
            label={t('Channel menu')}
            icon={MoreVertical}
            aria-haspopup="menu"
            onClick={(event) => openChannelMenu(app, channelId, event.currentTarget)}
          />
        </span>
      )}
    </>
  )
}

function TopicTitle({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const app = useApp()
  const { name, isResolved } = plainTopic(topicName(topic, app.store))
  const policy = app.store.topicPolicies.get(
    conversationKey({ kind: 'topic', channelId, topic }),
  )?.policy
  const wider = { kind: 'messages', narrow: { kind: 'channel', channelId } } as const
  return (
    <>
      <span class="head-words">
        <span class="head-line head-place">
          <ChannelIcon channelId={channelId} size={18} />
          <a class="head-channel ellipsis" href={app.router.href(wider)}>
            {channelName(channelId, app.store)}
          </a>
          <span class="head-arrow" aria-hidden="true">
            ›
          </span>
        </span>
        <span class="head-line">
          {isResolved && <Icon node={Check} size={16} class="head-mark" label={t('Resolved')} />}
          <h1 class={topic === '' ? 'head-title ellipsis topic-empty' : 'head-title ellipsis'}>
            {name}
          </h1>
          {policy === 1 && <Icon node={BellOff} size={15} class="head-mark" label={t('Muted')} />}
        </span>
      </span>
      <TopicAbout narrow={{ kind: 'topic', channelId, topic }} />
      <span class="head-actions">
        <TopicActions channelId={channelId} topic={topic} />
        <IconButton
          label={t('Topic menu')}
          icon={MoreVertical}
          aria-haspopup="menu"
          onClick={(event) => openTopicMenu(app, channelId, topic, event.currentTarget)}
        />
      </span>
    </>
  )
}

function DirectTitle({ userIds }: { readonly userIds: readonly number[] }) {
  const app = useApp()
  const [only] = userIds
  const user = userIds.length === 1 && only !== undefined ? app.store.users.get(only) : undefined
  if (!user) {
    return (
      <>
        <DirectFace userIds={userIds} size={28} />
        <span class="head-words">
          <h1 class="head-title ellipsis">{peopleNames(userIds, app.store)}</h1>
          <GroupAbout narrow={{ kind: 'direct', userIds }} />
        </span>
        <span class="head-actions">
          <PinsButton conversation={{ kind: 'direct', userIds }} />
          <DirectCallButtons userIds={userIds} />
          <IconButton
            label={t('Menu of the conversation')}
            icon={MoreVertical}
            aria-haspopup="menu"
            onClick={(event) => openDirectMenu(app, userIds, event.currentTarget)}
          />
        </span>
      </>
    )
  }
  const isSelf = user.id === app.store.selfId
  return (
    <>
      <button
        type="button"
        class="head-person"
        aria-label={t('Profile of {name}', { name: user.name })}
        onClick={(event) => openUserCard(app, user.id, event.currentTarget)}
      >
        <Avatar user={user} size={24} />
      </button>
      <span class="head-words">
        <h1 class="head-title ellipsis">
          {isSelf ? t('{name} (you)', { name: user.name }) : user.name}
        </h1>
        {!user.isBot && !isSelf && <PersonAbout user={user} />}
      </span>
      <span class="head-actions">
        <PinsButton conversation={{ kind: 'direct', userIds }} />
        <DirectCallButtons userIds={userIds} />
        <IconButton
          label={t('Menu of {name}', { name: user.name })}
          icon={MoreVertical}
          aria-haspopup="menu"
          onClick={(event) => openPersonMenu(app, user.id, event.currentTarget)}
        />
      </span>
    </>
  )
}
