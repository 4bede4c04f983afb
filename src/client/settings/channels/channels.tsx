import { Settings2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import type { Overlay } from '#client/narrow/narrow.ts'
import {
  Directory,
  DirectoryPane,
  DirectoryRow,
  EmptyPane,
} from '#client/settings/directory/directory.tsx'
import type { Channel } from '#client/state/model.ts'
import { byName, plainDescription } from '#client/state/names.ts'
import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { IconButton } from '#client/ui/button.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { t, tn } from '#client/ui/t.ts'
import { text } from '#translations/translate.ts'
import { ChannelGeneral } from './general.tsx'
import { NewChannel } from './new-channel.tsx'
import { ChannelPermissions } from './permissions.tsx'
import { ChannelPersonal } from './personal.tsx'
import { ChannelSubscribers } from './subscribers.tsx'

type ChannelOverlay = Extract<Overlay, { readonly kind: 'channels' | 'channel' }>
type Tab = Exclude<Extract<Overlay, { readonly kind: 'channels' }>['tab'], 'new'>
type Order = 'name' | 'size' | 'traffic'

interface ChannelSettingsProps {
  readonly overlay: ChannelOverlay
  readonly onClose: () => void
}

/** Every channel that the user can see: to look into, subscribe to, set up and create. */
export function ChannelSettings({ overlay, onClose }: ChannelSettingsProps) {
  const { store, router } = useApp()
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState<Order>('name')
  const lastTab = useRef<Tab>('all')
  if (overlay.kind === 'channels' && overlay.tab !== 'new') lastTab.current = overlay.tab
  const tab = lastTab.current
  const tabs: readonly (readonly [Tab, string])[] = [
    ['subscribed', t('Subscribed')],
    ['available', t('Not subscribed')],
    ['all', t('All')],
  ]
  const href = (target: Overlay) => router.href(target)
  const isNew = overlay.kind === 'channels' && overlay.tab === 'new'
  const chosen = overlay.kind === 'channel' ? overlay.channelId : undefined
  const listed = listedChannels(store, tab, filter, order)
  const back = { label: t('All channels'), href: href({ kind: 'channels', tab }) }
  return (
    <Directory
      title={t('Channels')}
      tabs={tabs.map(([id, label]) => ({ id, label, href: href({ kind: 'channels', tab: id }) }))}
      tab={tab}
      tools={
        <>
          <FilterField
            label={t('Filter channels')}
            placeholder={t('Filter')}
            value={filter}
            onChange={setFilter}
            onChoose={() => {
              const [first] = listed
              if (first) router.go({ kind: 'channel', channelId: first.id, section: 'general' })
            }}
          />
          <select
            class="input select"
            aria-label={t('Order')}
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as Order)}
          >
            <option value="name">{t('By name')}</option>
            <option value="size">{t('By number of subscribers')}</option>
            <option value="traffic">{t('By traffic')}</option>
          </select>
        </>
      }
      rows={listed.map((channel) => (
        <ChannelRow key={channel.id} channel={channel} isChosen={channel.id === chosen} />
      ))}
      empty={t('No matching channels')}
      create={
        mayCreate(store)
          ? { label: t('New channel'), href: href({ kind: 'channels', tab: 'new' }) }
          : undefined
      }
      isChosen={isNew || chosen !== undefined}
      onClose={onClose}
    >
      {isNew ? (
        <DirectoryPane key="new" title={t('New channel')} back={back}>
          {mayCreate(store) ? (
            <NewChannel folderId={overlay.folderId} />
          ) : (
            <p>{t("The organization's permissions do not allow you to create channels.")}</p>
          )}
        </DirectoryPane>
      ) : overlay.kind === 'channel' ? (
        <ChannelPane
          key={overlay.channelId}
          channelId={overlay.channelId}
          section={overlay.section}
          back={back}
        />
      ) : (
        <EmptyPane text={t('Choose a channel to see what it is about.')} />
      )}
    </Directory>
  )
}

/** The channels of a tab that match what is typed. Archived ones come last, and only among all. */
function listedChannels(store: Store, tab: Tab, typed: string, order: Order): Channel[] {
  const isWanted = matcher(typed)
  const subscriptions = store.subscriptions.all
  return [...store.channels.all.values()]
    .filter(({ id, isArchived }) =>
      tab === 'all' ? true : !isArchived && subscriptions.has(id) === (tab === 'subscribed'),
    )
    .filter(({ name }) => isWanted(name))
    .sort((a, b) => compare(a, b, order))
}

function compare(a: Channel, b: Channel, order: Order): number {
  const by = {
    name: 0,
    size: b.subscriberCount - a.subscriberCount,
    traffic: (b.weeklyTraffic ?? -1) - (a.weeklyTraffic ?? -1),
  }[order]
  return Number(a.isArchived) - Number(b.isArchived) || by || byName(a.name, b.name)
}

function mayCreate(store: Store): boolean {
  return (
    can(store, 'can_create_public_channel_group') || can(store, 'can_create_private_channel_group')
  )
}

interface ChannelRowProps {
  readonly channel: Channel
  readonly isChosen: boolean
}

function ChannelRow({ channel, isChosen }: ChannelRowProps) {
  const { store, router } = useApp()
  const subscribers = tn(channel.subscriberCount, 'one subscriber', '{count} subscribers')
  return (
    <DirectoryRow
      href={router.href({ kind: 'channel', channelId: channel.id, section: 'general' })}
      icon={<ChannelIcon channelId={channel.id} />}
      name={channel.name}
      about={plainDescription(channel) || subscribers}
      mark={store.subscriptions.get(channel.id) && t('Subscribed')}
      isChosen={isChosen}
    />
  )
}

interface ChannelPaneProps {
  readonly channelId: number
  readonly section: string
  readonly back: { readonly label: string; readonly href: string }
}

const pages = [
  ['general', text('General'), ChannelGeneral],
  ['personal', text('Personal'), ChannelPersonal],
  ['subscribers', text('Subscribers'), ChannelSubscribers],
  ['permissions', text('Permissions'), ChannelPermissions],
] as const

function ChannelPane({ channelId, section, back }: ChannelPaneProps) {
  const app = useApp()
  const channel = app.store.channels.get(channelId)
  if (!channel) {
    return <EmptyPane text={t('This channel does not exist, or you do not have access to it.')} />
  }
  const [id, , Page] = pages.find(([name]) => name === section) ?? pages[0]
  return (
    <DirectoryPane
      title={
        <>
          <ChannelIcon channelId={channelId} size={20} /> {channel.name}
        </>
      }
      back={back}
      tools={
        <IconButton
          label={t('Channel menu')}
          icon={Settings2}
          aria-haspopup="menu"
          onClick={(event) => openChannelMenu(app, channelId, event.currentTarget)}
        />
      }
      sections={pages.map(([name, label]) => ({
        id: name,
        label: t(label),
        href: app.router.href({ kind: 'channel', channelId, section: name }),
      }))}
      section={id}
    >
      <Page channel={channel} />
    </DirectoryPane>
  )
}
