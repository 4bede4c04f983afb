import { useComputed, useSignal } from '@preact/signals'
import { Check, Plus } from 'lucide'
import { useEffect } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { byName } from '#client/lists/names.ts'
import type { Overlay } from '#client/narrow/narrow.ts'
import type { Channel } from '#client/state/model.ts'
import { can } from '#client/state/permissions.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { ChannelIcon } from './channel-icon.tsx'
import { ChannelPreview } from './channel-preview.tsx'
import { NewChannel } from './new-channel.tsx'

type ChannelOverlay = Extract<Overlay, { readonly kind: 'channels' | 'channel' }>
type Tab = Extract<Overlay, { readonly kind: 'channels' }>['tab']

interface ChannelBrowserProps {
  readonly overlay: ChannelOverlay
  readonly onClose: () => void
}

/** Every channel that the user can see: to look into, subscribe to, and create. */
export function ChannelBrowser({ overlay, onClose }: ChannelBrowserProps) {
  const app = useApp()
  const tab = useSignal<Tab>(overlay.kind === 'channels' ? overlay.tab : 'all')
  const chosen = overlay.kind === 'channel' ? overlay.channelId : undefined
  useEffect(() => {
    if (overlay.kind === 'channels') tab.value = overlay.tab
  }, [overlay])
  if (overlay.kind === 'channels' && overlay.tab === 'new') {
    return <NewChannel onClose={onClose} />
  }
  return (
    <Dialog title={t('Channels')} size="wide" class="browser" onClose={onClose}>
      <div class={chosen === undefined ? 'browser-body' : 'browser-body browser-chosen'}>
        <ChannelPicker
          app={app}
          tab={tab.value}
          chosen={chosen}
          onTab={(next) => {
            tab.value = next
            app.router.go({ kind: 'channels', tab: next }, { replace: true })
          }}
        />
        {chosen === undefined ? (
          <div class="browser-preview browser-nothing">
            <p>{t('Choose a channel to see what it is about.')}</p>
          </div>
        ) : (
          <ChannelPreview
            key={chosen}
            channelId={chosen}
            onBack={() => app.router.go({ kind: 'channels', tab: tab.peek() }, { replace: true })}
          />
        )}
      </div>
    </Dialog>
  )
}

interface ChannelPickerProps {
  readonly app: App
  readonly tab: Tab
  readonly chosen: number | undefined
  readonly onTab: (tab: Tab) => void
}

function ChannelPicker({ app, tab, chosen, onTab }: ChannelPickerProps) {
  const { store, router } = app
  const filter = useSignal('')
  const order = useSignal<'name' | 'size' | 'traffic'>('name')
  const isWanted = useComputed(() => matcher(filter.value))
  const channels = useComputed(() =>
    [...store.channels.all.values()]
      .filter(({ isArchived }) => !isArchived)
      .filter(({ name }) => isWanted.value(name))
      .sort((a, b) => compare(a, b, order.value)),
  )
  const subscriptions = store.subscriptions.all
  const shown = channels.value.filter(
    ({ id }) => tab === 'all' || subscriptions.has(id) === (tab === 'subscribed'),
  )
  const tabs: readonly (readonly [Tab, string])[] = [
    ['subscribed', t('Subscribed')],
    ['available', t('Not subscribed')],
    ['all', t('All')],
  ]
  return (
    <div class="browser-list">
      <div class="browser-tabs">
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={tab === name}
            onClick={() => onTab(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div class="browser-tools">
        <FilterField
          label={t('Filter channels')}
          value={filter.value}
          onChange={(text) => {
            filter.value = text
          }}
        />
        <select
          class="input select"
          aria-label={t('Order')}
          value={order.value}
          onChange={(event) => {
            order.value = event.currentTarget.value as typeof order.value
          }}
        >
          <option value="name">{t('By name')}</option>
          <option value="size">{t('By subscribers')}</option>
          <option value="traffic">{t('By traffic')}</option>
        </select>
      </div>
      <ul class="browser-channels" aria-label={t('Channels')}>
        {shown.map((channel) => (
          <li key={channel.id} class="side-row">
            <a
              class="side-link browser-channel"
              href={router.href({ kind: 'channel', channelId: channel.id, section: 'general' })}
              aria-current={channel.id === chosen ? 'true' : undefined}
            >
              <ChannelIcon channelId={channel.id} />
              <span class="browser-words">
                <span class="side-name ellipsis">{channel.name}</span>
                <span class="browser-about ellipsis">
                  {channel.description ||
                    tn(channel.subscriberCount, 'one subscriber', '{count} subscribers')}
                </span>
              </span>
              {subscriptions.has(channel.id) && (
                <Icon node={Check} size={16} class="side-mark" label={t('Subscribed')} />
              )}
            </a>
          </li>
        ))}
        {shown.length === 0 && <li class="side-empty">{t('No such channel')}</li>}
      </ul>
      {mayCreate(app) && (
        <div class="browser-new">
          <Button
            icon={Plus}
            kind="primary"
            onClick={() => router.go({ kind: 'channels', tab: 'new' })}
          >
            {t('New channel')}
          </Button>
        </div>
      )}
    </div>
  )
}

function compare(a: Channel, b: Channel, order: 'name' | 'size' | 'traffic'): number {
  const by = {
    name: 0,
    size: b.subscriberCount - a.subscriberCount,
    traffic: (b.weeklyTraffic ?? -1) - (a.weeklyTraffic ?? -1),
  }[order]
  return by || byName(a.name, b.name)
}

function mayCreate({ store }: App): boolean {
  return (
    can(store, 'can_create_public_channel_group') || can(store, 'can_create_private_channel_group')
  )
}
