import { useComputed, useSignal } from '@preact/signals'
import { EllipsisVertical } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { openPersonMenu } from '#client/actions/person-menu.tsx'
import { useApp } from '#client/app-context.ts'
import type { MessageList } from '#client/lists/message-list.ts'
import { createPeopleModel, type PeopleGroup } from '#client/lists/people.ts'
import { PresenceDot } from '#client/messages/presence.tsx'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import { channelName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { useAfterPaint } from '#client/ui/after-paint.ts'
import { IconButton } from '#client/ui/button.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { LongList } from '#client/ui/long-list.tsx'
import { serverNow } from '#client/ui/server-time.ts'
import { t, tn } from '#client/ui/t.ts'
import { BarHandle } from './bar-handle.tsx'
import { ChannelDetails } from './channel-details.tsx'
import { DirectFace } from './direct-face.tsx'
import { openUserCard } from './open-user-card.ts'
import { firstStepsMark, GettingStarted } from './parts.ts'

/** The most people of a group that are drawn; the filter finds the others. */
const most = 100
/** Presence also changes with time: how often it is computed again, in milliseconds. */
const rhythm = 30_000

/** People: those in the conversation first, then everyone, available ones before others. */
export function RightSideBar() {
  const { router, store, pane } = useApp()
  const filter = useSignal('')
  const now = useSignal(serverNow())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = serverNow()
    }, rhythm)
    return () => clearInterval(timer)
  }, [])
  const model = useMemo(() => createPeopleModel(store), [store])
  const near = useAfterPaint(
    useComputed(() => {
      const view = router.view.value
      const narrow = view.kind === 'messages' ? view.narrow : undefined
      return {
        narrow,
        ...(narrow?.kind === 'topic' && { writers: writersIn(store, pane.value?.list) }),
      }
    }),
  )
  const people = useComputed(() =>
    model.list({ ...near.value, filter: filter.value, now: now.value, limit: most }),
  )
  const isAlone = useComputed(() => model.isAlone())
  const { here, inChannel, others } = people.value
  const { narrow } = near.value
  return (
    <>
      <div class="side-scroller">
        <div class="row side-filter">
          <FilterField
            label={t('Filter people')}
            value={filter.value}
            onChange={(text) => {
              filter.value = text
            }}
            onChoose={() => {
              const groups = people.peek()
              const found = [groups.here, groups.inChannel, groups.others]
              const first = found.flatMap((group) => group.people)[0]
              if (!first) return
              const narrow = { kind: 'direct', userIds: [first.user.id] } as const
              router.go({ kind: 'messages', narrow })
            }}
          />
        </div>
        {(narrow?.kind === 'topic' || narrow?.kind === 'channel') && (
          <ChannelDetails narrow={narrow} />
        )}
        <Group name={t('In this conversation')} group={here} />
        {narrow && 'channelId' in narrow && (
          <Group
            name={t('In #{channel}', { channel: channelName(narrow.channelId, store) })}
            group={inChannel}
          />
        )}
        <Group name={here.total + inChannel.total > 0 ? t('Others') : t('People')} group={others} />
        {(isAlone.value || hasFirstSteps(store)) && <GettingStarted isAlone={isAlone.value} />}
        {here.total + inChannel.total + others.total === 0 && (
          <p class="side-empty">{t('No users found')}</p>
        )}
      </div>
      <BarHandle bar="right" />
    </>
  )
}

/** Whether the first steps were not put away yet. */
const hasFirstSteps = ({ realm }: Store): boolean =>
  realm.value.onboarding_steps.some(({ name }) => name === firstStepsMark)

/** Who wrote the messages of a list, as far as they are here. Reading it subscribes to the list. */
function writersIn({ messages }: Store, list: MessageList | undefined): ReadonlySet<number> {
  const ids = list?.ids.value ?? []
  return new Set(ids.flatMap((id) => messages.peek(id)?.senderId ?? []))
}

function Group({ name, group }: { readonly name: string; readonly group: PeopleGroup }) {
  const { people, total } = group
  if (total === 0) return null
  const more = total - people.length
  return (
    <div class="side-section">
      <div class="side-head">
        <h2>{name}</h2>
      </div>
      <LongList items={people} draw={({ user }) => <Person key={user.id} userId={user.id} />} />
      {more > 0 && <p class="side-empty">{tn(more, 'and one more', 'and {count} more')}</p>}
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
        class="row side-link person"
        href={app.router.href({
          kind: 'messages',
          narrow: { kind: 'direct', userIds: [userId] },
        })}
        onContextMenu={(event) => {
          event.preventDefault()
          openPersonMenu(app, userId, event.currentTarget)
        }}
      >
        {style === 1 ? (
          <PresenceDot userId={userId} />
        ) : (
          <DirectFace userIds={[userId]} size={style === 3 ? 28 : 24} />
        )}
        <span class="grow person-words">
          <span class="side-name ellipsis" dir="auto" title={user.name}>
            {userId === app.store.selfId ? t('{name} (you)', { name: user.name }) : user.name}
          </span>
          {style !== 1 && status?.text && (
            <span class="person-status ellipsis" dir="auto">
              {status.text}
            </span>
          )}
        </span>
        <StatusEmoji userId={userId} />
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
