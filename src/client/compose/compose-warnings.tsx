import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { subscribe } from '#client/commands/subscriptions.ts'
import { toggleResolved } from '#client/commands/topic-actions.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { can } from '#client/state/permissions.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { isResolved } from '#shared/resolved-topics.ts'
import { mentionedPeople, standingProblem, wideMentionIn } from './send.ts'

interface ComposeWarningsProps {
  readonly target: ComposeTarget
  readonly text: string
  /** Whether a message waits for the confirmation of a wide mention. */
  readonly asksWide: boolean
  readonly onWideYes: () => void
  readonly onWideNo: () => void
}

/** Warnings for the user before sending. */
export function ComposeWarnings(props: ComposeWarningsProps) {
  const { target, text, asksWide } = props
  const app = useApp()
  const { store } = app
  const channelId = target.kind === 'topic' ? target.channelId : undefined
  const channel = channelId === undefined ? undefined : store.channels.get(channelId)
  const outsiders = useOutsiders(app, channelId, text)
  const problem = standingProblem(store, target)
  const wide = asksWide ? wideMentionIn(store, target, text) : undefined
  const topic = target.kind === 'topic' ? target.topic : ''

  if (problem) return <Banner isError>{problem}</Banner>
  return (
    <>
      {wide && !wide.isAllowed && (
        <Banner isError>
          {t('You are not allowed to mention @{name} here. It would notify {count} people.', {
            name: wide.name,
            count: wide.count,
          })}
        </Banner>
      )}
      {wide?.isAllowed && (
        <Banner
          action={
            <>
              <Button kind="primary" onClick={props.onWideYes}>
                {t('Send anyway')}
              </Button>
              <Button onClick={props.onWideNo}>{t('Cancel')}</Button>
            </>
          }
        >
          {t('@{name} notifies all {count} people in this channel. Send anyway?', {
            name: wide.name,
            count: wide.count,
          })}
        </Banner>
      )}
      {channel && !store.subscriptions.get(channel.id) && (
        <Banner
          action={<Button onClick={() => void subscribe(app, channel.id)}>{t('Subscribe')}</Button>}
        >
          {t('You are not subscribed to this channel, so you will not be notified of replies.')}
        </Banner>
      )}
      {channel && text !== '' && isResolved(topic) && (
        <Banner
          action={
            <Button onClick={() => void toggleResolved(app, channel.id, topic)}>
              {t('Mark as not resolved')}
            </Button>
          }
        >
          {t('This topic is marked as resolved.')}
        </Banner>
      )}
      {channel &&
        outsiders.map((id) => (
          <Banner
            key={id}
            action={
              can(store, 'can_add_subscribers_group') && (
                <Button onClick={() => void subscribe(app, channel.id, [id])}>
                  {t('Subscribe them')}
                </Button>
              )
            }
          >
            {t('{name} is not subscribed to this channel and will not see the message.', {
              name: store.users.get(id)?.name ?? '',
            })}
          </Banner>
        ))}
    </>
  )
}

interface BannerProps {
  readonly isError?: boolean
  readonly action?: ComponentChildren
  readonly children?: ComponentChildren
}

function Banner({ isError, action, children }: BannerProps) {
  return (
    <div
      class={isError ? 'row banner banner-error' : 'row banner'}
      role={isError ? 'alert' : 'status'}
    >
      <span class="grow banner-text">{children}</span>
      {action}
    </div>
  )
}

/** Mentioned people who do not get the messages of a channel. */
function useOutsiders(app: App, channelId: number | undefined, text: string): readonly number[] {
  const mentioned = channelId === undefined ? [] : mentionedPeople(app.store, text)
  const known = channelId === undefined ? undefined : app.store.subscribers.get(channelId)
  const [replies, setReplies] = useState<ReadonlyMap<string, boolean>>(new Map())
  const unknown = mentioned.filter(
    (id) => !known?.ids.has(id) && !known?.all && !replies.has(`${channelId}:${id}`),
  )
  const wanted = unknown.join()
  useEffect(() => {
    for (const id of unknown) {
      const path = `/users/${id}/subscriptions/${channelId}`
      app.api.get<{ is_subscribed: boolean }>(path).then(
        (reply) =>
          setReplies((before) => new Map(before).set(`${channelId}:${id}`, reply.is_subscribed)),
        // A warning less.
        () => undefined,
      )
    }
  }, [app, channelId, wanted])
  return mentioned.filter((id) => {
    if (known?.ids.has(id) || id === app.store.selfId) return false
    return known?.all || replies.get(`${channelId}:${id}`) === false
  })
}
