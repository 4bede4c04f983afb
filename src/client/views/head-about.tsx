import { computed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { PresenceDot, presenceText } from '#client/messages/presence.tsx'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import type { Narrow } from '#client/narrow/narrow.ts'
import { narrowKey } from '#client/narrow/terms.ts'
import type { User } from '#client/state/model.ts'
import { agoText, timeInZone } from '#client/ui/dates.ts'
import { serverNow } from '#client/ui/server-time.ts'
import { t, tn } from '#client/ui/t.ts'

/** How often what depends on the time is said again, in milliseconds. */
const rhythm = 30_000

/** Draws a component again with the time. */
function useClock(): void {
  const ticks = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => ticks.value++, rhythm)
    return () => clearInterval(timer)
  }, [])
  ticks.value
}

/** Who writes in a topic, and when the last message came: of what has been fetched. */
export function TopicAbout({ narrow }: { readonly narrow: Narrow & { kind: 'topic' } }) {
  const last = useLastMessage(narrow)
  const people = usePeopleWho(narrow)
  return <About parts={[people, last]} />
}

/** How many are in a group conversation, and when the last message came. */
export function GroupAbout({ narrow }: { readonly narrow: Narrow & { kind: 'direct' } }) {
  const last = useLastMessage(narrow)
  // And oneself.
  const count = narrow.userIds.length + 1
  return <About parts={[tn(count, 'one person', '{count} people'), last]} />
}

/** Whether someone is there, what they say of themselves, and what time it is for them. */
export function PersonAbout({ user }: { readonly user: User }) {
  const app = useApp()
  useClock()
  const { settings, statuses } = app.store
  const now = serverNow()
  const theirs = user.timezone && timeInZone(now, user.timezone, settings.value)
  const own = timeInZone(now, Intl.DateTimeFormat().resolvedOptions().timeZone, settings.value)
  const status = statuses.get(user.id)
  return (
    <span class="head-about ellipsis">
      <PresenceDot userId={user.id} /> {presenceText(app, user.id)}
      {(status?.text || status?.emojiCode) && ' · '}
      <StatusEmoji userId={user.id} /> {status?.text}
      {theirs && theirs !== own && ` · ${t('{time} local time', { time: theirs })}`}
    </span>
  )
}

type Part = string | false | undefined

function About({ parts }: { readonly parts: readonly Part[] }) {
  return <span class="head-about ellipsis">{joined(parts)}</span>
}

function joined(parts: readonly Part[]): string {
  return parts.filter(Boolean).join(' · ')
}

/** The messages of a narrow that is open; undefined before it is. */
function useList(narrow: Narrow) {
  const list = useApp().pane.value?.list
  return list && narrowKey(list.narrow) === narrowKey(narrow) ? list : undefined
}

function useLastMessage(narrow: Narrow): Part {
  const { store } = useApp()
  useClock()
  const list = useList(narrow)
  const newest = list?.status.value.hasNewest ? list.ids.value.at(-1) : undefined
  const message = newest === undefined ? undefined : store.messages.get(newest)
  return message && t('last message {ago}', { ago: agoText(message.timestamp) })
}

function usePeopleWho(narrow: Narrow): Part {
  const { store } = useApp()
  const list = useList(narrow)
  const counted = useMemo(
    () =>
      computed(() => {
        const senders = new Set(list?.ids.value.map((id) => store.messages.peek(id)?.senderId))
        return [...senders].filter((id) => id !== undefined && !store.users.peek(id)?.isBot).length
      }),
    [list, store],
  )
  const count = counted.value
  if (!list || count === 0) return undefined
  return list.status.value.hasOldest
    ? tn(count, 'one person', '{count} people')
    : t('{count}+ people', { count })
}
