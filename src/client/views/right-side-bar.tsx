import { useComputed, useSignal } from '@preact/signals'
import { EllipsisVertical } from 'lucide'
import { useEffect } from 'preact/hooks'
import { openPersonMenu } from '#client/actions/person-menu.tsx'
import type { App } from '#client/app.ts'
import { byName } from '#client/lists/names.ts'
import { conversationOfNarrow } from '#client/narrow/terms.ts'
import type { User } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { t, tn } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { openUserCard } from './open-user-card.ts'
import { PresenceDot, presenceOf } from './presence.tsx'
import { EmojiGlyph } from './reactions.tsx'

/** At most so many people are drawn; the filter finds the others. */
const most = 100
/** Presence also changes by time alone: looked at again after so long, in milliseconds. */
const rhythm = 30_000

/** People: those of the conversation first, then everybody, who is there before who is not. */
export function RightSideBar() {
  const app = useApp()
  const filter = useSignal('')
  const now = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      now.value += 1
    }, rhythm)
    return () => clearInterval(timer)
  }, [])
  const here = useComputed(() => peopleHere(app))
  const groups = useComputed(() => {
    now.value
    return groupsOf(app, here.value, filter.value)
  })
  return (
    <div class="side-scroller">
      <div class="side-filter">
        <input
          type="search"
          class="input"
          aria-label={t('Filter people')}
          placeholder={t('Filter people')}
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            filter.value = ''
            event.currentTarget.blur()
            event.stopPropagation()
          }}
        />
      </div>
      {groups.value.map(({ name, users, more }) => (
        <div key={name} class="side-section">
          <div class="side-head">
            <h2>{name}</h2>
          </div>
          <ul>
            {users.map((user) => (
              <Person key={user.id} userId={user.id} />
            ))}
          </ul>
          {more > 0 && <p class="side-empty">{tn(more, 'and one more', 'and {count} more')}</p>}
        </div>
      ))}
      {groups.value.length === 0 && <p class="side-empty">{t('Nobody found')}</p>}
    </div>
  )
}

function Person({ userId }: { readonly userId: number }) {
  const app = useApp()
  const user = app.store.users.get(userId)
  const status = app.store.statuses.get(userId)
  const style = app.store.settings.value.user_list_style
  if (!user) return null
  return (
    <li class="side-row">
      <a
        class="side-link person"
        href={app.router.href({
          kind: 'messages',
          narrow: { kind: 'direct', userIds: [userId] },
        })}
        onContextMenu={(event) => {
          event.preventDefault()
          openPersonMenu(app, userId, event.currentTarget)
        }}
      >
        {style === 3 && <Avatar user={user} size={28} />}
        <PresenceDot userId={userId} />
        <span class="person-words">
          <span class="side-name ellipsis">
            {userId === app.store.selfId ? t('{name} (you)', { name: user.name }) : user.name}
          </span>
          {style !== 1 && status?.text && (
            <span class="person-status ellipsis" dir="auto">
              {status.text}
            </span>
          )}
        </span>
        {status?.emojiCode && (
          <EmojiGlyph
            emoji={{ name: status.emojiName, code: status.emojiCode, type: status.reactionType }}
          />
        )}
      </a>
      <IconButton
        class="side-more"
        label={t('Profile of {name}', { name: user.name })}
        icon={EllipsisVertical}
        size={15}
        aria-haspopup="dialog"
        onClick={(event) => openUserCard(app, userId, event.currentTarget)}
      />
    </li>
  )
}

interface People {
  readonly name: string
  readonly users: readonly User[]
  readonly more: number
}

/** The ids of those who take part in what is shown, where that is some of all. */
function peopleHere({ router, store }: App): ReadonlySet<number> | undefined {
  const view = router.view.value
  if (view.kind !== 'messages') return undefined
  const conversation = conversationOfNarrow(view.narrow)
  if (conversation?.kind === 'direct') return new Set([...conversation.userIds, store.selfId])
  const channelId = 'channelId' in view.narrow ? view.narrow.channelId : undefined
  return channelId === undefined ? undefined : store.subscribers.get(channelId)?.ids
}

function groupsOf(
  app: App,
  here: ReadonlySet<number> | undefined,
  filter: string,
): readonly People[] {
  const { users, mutedUsers, selfId } = app.store
  app.store.presences.version.value
  const muted = mutedUsers.value
  const isWanted = matcher(filter)
  const wanted = [...users.all.values()].filter(
    (user) => user.isActive && !user.isBot && !muted.has(user.id) && isWanted(user.name),
  )
  const rank = new Map(wanted.map(({ id }) => [id, id === selfId ? -1 : rankOf(app, id)]))
  wanted.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0) || byName(a.name, b.name))
  const isIn = ({ id }: User) => here?.has(id) ?? false
  const inside = here ? wanted.filter(isIn) : []
  const others = here ? wanted.filter((user) => !isIn(user)) : wanted
  return [
    group(t('In this conversation'), inside),
    group(inside.length > 0 ? t('Others') : t('People'), others),
  ].filter((people) => people.users.length > 0)
}

function group(name: string, users: readonly User[]): People {
  return { name, users: users.slice(0, most), more: Math.max(0, users.length - most) }
}

function rankOf(app: App, userId: number): number {
  // Without a subscription for each of thousands: the caller subscribes to all at once.
  return { active: 0, idle: 1, offline: 2 }[presenceOf(app, userId, false)]
}
