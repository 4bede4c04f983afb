import type { App } from '#client/app.ts'
import type { SubscriptionProperty } from '#client/state/optimistic.ts'
import { t } from '#client/ui/t.ts'
import { attempt, tellWithUndo } from './attempt.ts'

export async function setSubscription(
  app: App,
  channelId: number,
  property: SubscriptionProperty,
  value: boolean | string,
): Promise<void> {
  const set = async (to: boolean | string) => {
    await app.changes.changeSubscription(channelId, property, to)
    return true
  }
  if (!(await attempt(app, set(value))) || property !== 'is_muted') return
  const text = value ? t('The channel is muted.') : t('The channel is no longer muted.')
  tellWithUndo(app, text, () => set(!value))
}

export async function subscribe(app: App, channelId: number, userIds?: number[]): Promise<void> {
  const name = app.store.channels.peek(channelId)?.name
  if (name === undefined) return
  await attempt(
    app,
    app.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      ...(userIds && { principals: userIds }),
    }),
  )
}

export async function unsubscribe(app: App, channelId: number): Promise<void> {
  const name = app.store.channels.peek(channelId)?.name
  if (name === undefined) return
  const call = app.api.delete('/users/me/subscriptions', { subscriptions: [name] })
  if (!(await attempt(app, call))) return
  const again = () => app.api.post('/users/me/subscriptions', { subscriptions: [{ name }] })
  tellWithUndo(app, t('You left {channel}.', { channel: `#${name}` }), again)
}
