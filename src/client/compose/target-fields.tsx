import { Hash, Lock, X } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { canPost } from '#client/commands/permissions.ts'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import type { Channel, User } from '#client/state/model.ts'
import { byName, plainDescription, userName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { nameKey } from '#shared/names.ts'
import { ComboField } from './combo-field.tsx'
import { focusTargetField } from './focus.ts'
import { TopicField } from './topic-field.tsx'

interface FieldsProps<T extends ComposeTarget> {
  readonly target: T
  readonly onChange: (target: T) => void
  /** The focus after the target is complete. */
  readonly onDone: () => void
}

type TopicTarget = Extract<ComposeTarget, { kind: 'topic' }>
type DirectTarget = Extract<ComposeTarget, { kind: 'direct' }>

interface TargetFieldsProps {
  readonly target: ComposeTarget
  readonly onDone: () => void
  readonly onLeave: () => void
}

/** The fields of a recipient that is not that of the view. */
export function TargetFields({ target, onDone, onLeave }: TargetFieldsProps) {
  const { compose } = useApp()
  return (
    <div class="row compose-target">
      {target.kind === 'topic' ? (
        <TopicFields target={target} onChange={compose.setTarget} onDone={onDone} />
      ) : (
        <DirectFields target={target} onChange={compose.setTarget} onDone={onDone} />
      )}
      {/* Tab leads from the last field to the message; Escape closes as well. */}
      <IconButton label={t('Close')} icon={X} tabIndex={-1} onClick={onLeave} />
    </div>
  )
}

/** The fields "Channel" and "Topic". */
function TopicFields({ target, onChange, onDone }: FieldsProps<TopicTarget>) {
  const toTopic = () => focusTargetField('topic-field')
  return (
    <>
      <ChannelField
        label={t('Channel')}
        channelId={target.channelId}
        takesFocus={target.channelId === undefined}
        onChange={(channelId) => onChange({ ...target, channelId })}
        onDone={toTopic}
      />
      <TopicField
        label={t('Topic')}
        channelId={target.channelId}
        topic={target.topic}
        onChange={(topic) => onChange({ ...target, topic })}
        onEnter={onDone}
      />
    </>
  )
}

interface ChannelFieldProps {
  readonly label: string
  readonly channelId: number | undefined
  /** Offered although the user may not post in it. */
  readonly alsoOffers?: Channel
  readonly isDisabled?: boolean
  readonly takesFocus?: boolean
  /** @param channelId undefined while what is typed names none */
  readonly onChange: (channelId: number | undefined) => void
  readonly onDone?: () => void
}

/** A channel that the user may post in, found by typing. */
export function ChannelField(props: ChannelFieldProps) {
  const { label, channelId, alsoOffers, isDisabled = false, takesFocus = false, onChange } = props
  const { store } = useApp()
  const channel = channelId === undefined ? undefined : store.channels.get(channelId)
  const [text, setText] = useState(channel?.name ?? '')
  // The view or a command may choose another channel. Before the next key: what it types stays.
  const typed = useRef('')
  useLayoutEffect(() => {
    setText(channel?.name ?? typed.current)
    typed.current = ''
  }, [channel?.name])

  function choose(name: string): void {
    setText(name)
    const wanted = nameKey(name)
    for (const each of store.channels.current.values()) {
      if (nameKey(each.name) === wanted) {
        onChange(each.id)
        return
      }
    }
    if (channelId === undefined) return
    typed.current = name
    onChange(undefined)
  }

  return (
    <ComboField
      class="channel-field"
      label={label}
      text={text}
      picksFirst
      isDisabled={isDisabled}
      none={channelId === undefined && text.trim() !== '' ? t('No matching channels') : undefined}
      takesFocus={takesFocus}
      offer={() =>
        offeredChannels(store, text === channel?.name ? '' : text, alsoOffers).map(shownChannel)
      }
      onText={choose}
      onPick={(item, isLeft) => {
        setText(item.label)
        onChange(Number(item.key))
        if (!isLeft) props.onDone?.()
      }}
      onEnter={() => props.onDone?.()}
    />
  )
}

function offeredChannels(store: Store, text: string, also: Channel | undefined): Channel[] {
  const all = [...store.channels.current.values()].filter(
    (channel) => channel.id === also?.id || canPost(store, channel),
  )
  const isSubscribed = ({ id }: Channel) => store.subscriptions.current.has(id)
  const order = (a: Channel, b: Channel) =>
    Number(isSubscribed(b)) - Number(isSubscribed(a)) || byName(a.name, b.name)
  if (text.trim() === '') return all.filter(isSubscribed).sort(order).slice(0, 8)
  return rank(all, text, { names: ({ name }) => name, order, limit: 8 })
}

const shownChannel = (channel: Channel) => ({
  key: String(channel.id),
  label: channel.name,
  detail: plainDescription(channel),
  picture: <Icon node={channel.isPrivate ? Lock : Hash} size={14} />,
})

/** The field "To": people, each with a button that takes them out. */
function DirectFields({ target, onChange, onDone }: FieldsProps<DirectTarget>) {
  const { store } = useApp()
  const [text, setText] = useState('')
  const without = (id: number) => target.userIds.filter((each) => each !== id)
  return (
    <div
      class="row cluster tight people-field"
      onPointerDown={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        focusTargetField('people-field')
      }}
    >
      {target.userIds.map((id) => (
        <PersonPill
          key={id}
          userId={id}
          onRemove={() => {
            onChange({ ...target, userIds: without(id) })
            focusTargetField('people-field')
          }}
        />
      ))}
      <ComboField
        label={t('To')}
        text={text}
        placeholder={target.userIds.length === 0 ? t('To') : t('Add someone')}
        picksFirst
        takesFocus={target.userIds.length === 0}
        offer={() => offeredPeople(store, text, target.userIds).map(shownPerson)}
        onText={setText}
        onPick={(item) => {
          setText('')
          onChange({ ...target, userIds: [...target.userIds, Number(item.key)] })
        }}
        onEnter={onDone}
        onBackspace={() => onChange({ ...target, userIds: target.userIds.slice(0, -1) })}
      />
    </div>
  )
}

interface PersonPillProps {
  readonly userId: number
  readonly onRemove: () => void
}

function PersonPill({ userId, onRemove }: PersonPillProps) {
  const { store } = useApp()
  const user = store.users.get(userId)
  const name = userName(userId, store)
  return (
    <span class="row tight pill">
      {user && <Avatar user={user} size={18} />}
      <span class="ellipsis">{name}</span>
      <button type="button" aria-label={t('Remove {name}', { name })} onClick={onRemove}>
        <Icon node={X} size={12} />
      </button>
    </span>
  )
}

function offeredPeople(store: Store, text: string, chosen: readonly number[]): User[] {
  const recent = new Map<number, number>()
  for (const { conversation } of store.recent.direct.peek()) {
    if (conversation.kind !== 'direct') continue
    for (const id of conversation.userIds) if (!recent.has(id)) recent.set(id, recent.size)
  }
  const rankOf = ({ id }: User) => recent.get(id) ?? Number.MAX_SAFE_INTEGER
  const order = (a: User, b: User) =>
    rankOf(a) - rankOf(b) || Number(a.isBot) - Number(b.isBot) || byName(a.name, b.name)
  const people = [...store.users.current.values()].filter(
    ({ id, isActive, isSystemBot }) =>
      isActive && !chosen.includes(id) && (!isSystemBot || recent.has(id)),
  )
  if (text.trim() === '') return people.sort(order).slice(0, 8)
  // The domain, which most people share, only if it is typed.
  const known = (address: string) => (text.includes('@') ? address : address.split('@', 1).join())
  const names = ({ name, deliveryEmail }: User) =>
    deliveryEmail ? [name, known(deliveryEmail)] : name
  return rank(people, text, { names, order, limit: 8 })
}

const shownPerson = (user: User) => ({
  key: String(user.id),
  label: user.name,
  detail: user.deliveryEmail ?? undefined,
  picture: <Avatar user={user} size={20} />,
  mark: <StatusEmoji userId={user.id} />,
})
