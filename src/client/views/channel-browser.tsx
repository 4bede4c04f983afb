import { useComputed, useSignal } from '@preact/signals'
import { Check, Plus, Settings2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '#client/actions/attempt.ts'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import { subscribe, unsubscribe } from '#client/actions/message-actions.ts'
import type { App } from '#client/app.ts'
import { byName, userName } from '#client/lists/names.ts'
import type { Overlay } from '#client/narrow/narrow.ts'
import type { Channel } from '#client/state/model.ts'
import { can } from '#client/state/permissions.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { dayText } from '#client/ui/dates.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { ChannelIcon } from './channel-icon.tsx'
import { ServerHtml } from './message-body.tsx'

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

interface ChannelPreviewProps {
  readonly channelId: number
  readonly onBack: () => void
}

function ChannelPreview({ channelId, onBack }: ChannelPreviewProps) {
  const app = useApp()
  const { store, router } = app
  const channel = store.channels.get(channelId)
  const subscription = store.subscriptions.get(channelId)
  const [isBusy, setBusy] = useState(false)
  if (!channel) {
    return (
      <div class="browser-preview browser-nothing">
        <p>{t('This channel does not exist, or you may not see it.')}</p>
      </div>
    )
  }
  const known = store.subscribers.get(channelId)
  const names = [...(known?.ids ?? [])].map((id) => userName(id, store)).sort(byName)
  const toggle = async () => {
    setBusy(true)
    await (subscription ? unsubscribe(app, channelId) : subscribe(app, channelId))
    setBusy(false)
  }
  return (
    <article class="browser-preview">
      <button type="button" class="text-button browser-back" onClick={onBack}>
        {t('All channels')}
      </button>
      <header class="browser-head">
        <h3>
          <ChannelIcon channelId={channelId} size={20} /> {channel.name}
        </h3>
        <IconButton
          label={t('Channel menu')}
          icon={Settings2}
          aria-haspopup="menu"
          onClick={(event) => openChannelMenu(app, channelId, event.currentTarget)}
        />
      </header>
      {channel.descriptionHtml ? (
        <ServerHtml html={channel.descriptionHtml} />
      ) : (
        <p class="field-help">{t('Nobody described this channel yet.')}</p>
      )}
      <dl class="browser-facts">
        <div>
          <dt>{t('Who can read it')}</dt>
          <dd>{privacyText(channel)}</dd>
        </div>
        <div>
          <dt>{t('Subscribers')}</dt>
          <dd>{channel.subscriberCount}</dd>
        </div>
        {channel.weeklyTraffic !== null && (
          <div>
            <dt>{t('Messages a week')}</dt>
            <dd>{channel.weeklyTraffic}</dd>
          </div>
        )}
        <div>
          <dt>{t('Created')}</dt>
          <dd>
            {channel.creatorId === null
              ? dayText(channel.dateCreated)
              : t('{day} by {name}', {
                  day: dayText(channel.dateCreated),
                  name: userName(channel.creatorId, store),
                })}
          </dd>
        </div>
      </dl>
      {names.length > 0 && (
        <details>
          <summary>{t('Who is in it')}</summary>
          <p class="field-help">{names.join(', ')}</p>
        </details>
      )}
      <footer class="browser-actions">
        <Button
          kind={subscription ? 'plain' : 'primary'}
          isBusy={isBusy}
          onClick={() => void toggle()}
        >
          {subscription ? t('Unsubscribe') : t('Subscribe')}
        </Button>
        <Button
          onClick={() => router.go({ kind: 'messages', narrow: { kind: 'channel', channelId } })}
        >
          {t('View the channel')}
        </Button>
      </footer>
    </article>
  )
}

function privacyText({ isPrivate, isWebPublic, historyIsPublic }: Channel): string {
  if (isWebPublic) return t('Everybody on the web')
  if (!isPrivate) return t('Everybody in the organization, except guests')
  return historyIsPublic
    ? t('Subscribers, with all of its history')
    : t('Subscribers, from when they came')
}

const privacies = {
  public: { invite_only: false, history_public_to_subscribers: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
} as const

type Privacy = keyof typeof privacies

function NewChannel({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const { store, router } = app
  const realm = store.realm.value
  const mayPublic = can(store, 'can_create_public_channel_group')
  const mayPrivate = can(store, 'can_create_private_channel_group')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [privacy, setPrivacy] = useState<Privacy>(mayPublic ? 'public' : 'shared')
  const [folderId, setFolder] = useState('')
  const [people, setPeople] = useState<ReadonlySet<number>>(new Set())
  const [announces, setAnnounces] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const taken = [...store.channels.current.values()].some(
    (channel) => channel.name.toLowerCase() === name.trim().toLowerCase(),
  )
  const choices: readonly (readonly [Privacy, string, string, boolean])[] = [
    ['public', t('Public'), t('Everybody in the organization can read and join it.'), mayPublic],
    [
      'shared',
      t('Private, shared history'),
      t('For those who were added; they see everything ever written.'),
      mayPrivate,
    ],
    [
      'protected',
      t('Private, protected history'),
      t('For those who were added; they see what was written since.'),
      mayPrivate,
    ],
  ]
  const folders = [...store.folders.all.values()].filter(({ is_archived }) => !is_archived)

  async function create(): Promise<void> {
    setBusy(true)
    const reply = await attempt(
      app,
      app.api.post<{ id: number }>('/channels/create', {
        name: name.trim(),
        description: description.trim(),
        subscribers: [store.selfId, ...people],
        announce: announces,
        ...privacies[privacy],
        ...(folderId !== '' && { folder_id: Number(folderId) }),
      }),
    )
    setBusy(false)
    if (!reply) return
    app.notify(t('The channel was created.'))
    router.go({ kind: 'messages', narrow: { kind: 'channel', channelId: reply.id } })
  }

  return (
    <Dialog title={t('New channel')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <label class="field">
          <span class="field-label">{t('Name')}</span>
          <input
            class="input"
            required
            maxLength={realm.max_stream_name_length}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          {taken && <span class="field-problem">{t('There is a channel of this name.')}</span>}
        </label>
        <label class="field">
          <span class="field-label">{t('Description')}</span>
          <textarea
            class="input"
            rows={2}
            maxLength={realm.max_stream_description_length}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </label>
        <fieldset class="field">
          <legend class="field-label">{t('Who can read it')}</legend>
          {choices.map(
            ([key, label, help, isAllowed]) =>
              isAllowed && (
                <label key={key} class="check-row">
                  <input
                    type="radio"
                    name="privacy"
                    checked={privacy === key}
                    onChange={() => setPrivacy(key)}
                  />
                  <span>
                    {label}
                    <span class="field-help field-help-block">{help}</span>
                  </span>
                </label>
              ),
          )}
        </fieldset>
        {folders.length > 0 && (
          <label class="field">
            <span class="field-label">{t('Folder')}</span>
            <select
              class="input"
              value={folderId}
              onChange={(event) => setFolder(event.currentTarget.value)}
            >
              <option value="">{t('None')}</option>
              {folders.map(({ id, name: folder }) => (
                <option key={id} value={String(id)}>
                  {folder}
                </option>
              ))}
            </select>
          </label>
        )}
        <PeoplePicker chosen={people} onChange={setPeople} />
        {realm.realm_new_stream_announcements_stream_id > 0 && privacy === 'public' && (
          <label class="check-row">
            <input
              type="checkbox"
              checked={announces}
              onChange={(event) => setAnnounces(event.currentTarget.checked)}
            />
            {t('Announce it')}
          </label>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            disabled={name.trim() === '' || taken}
          >
            {t('Create channel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface PeoplePickerProps {
  readonly chosen: ReadonlySet<number>
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

const mostShown = 30

/** Who is subscribed from the start, besides oneself. */
function PeoplePicker({ chosen, onChange }: PeoplePickerProps) {
  const { store } = useApp()
  const [filter, setFilter] = useState('')
  const isWanted = matcher(filter)
  const people = [...store.users.current.values()]
    .filter(({ id, isActive, isBot }) => isActive && !isBot && id !== store.selfId)
    .filter(({ name }) => isWanted(name))
    .sort((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)) || byName(a.name, b.name))
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <fieldset class="field">
      <legend class="field-label">
        {t('People')} {chosen.size > 0 && `(${chosen.size})`}
      </legend>
      <input
        type="search"
        class="input"
        aria-label={t('Filter people')}
        placeholder={t('Filter people')}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <ul class="picker-list">
        {people.slice(0, mostShown).map(({ id, name }) => (
          <li key={id}>
            <label class="check-row">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              {name}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
