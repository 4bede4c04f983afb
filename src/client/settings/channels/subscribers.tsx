import { useEffect, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import { AddPeople } from '#client/settings/directory/add-people.tsx'
import { PeopleTable } from '#client/settings/directory/people-table.tsx'
import { type GroupChoice, peopleOf } from '#client/settings/ui/group-value.ts'
import type { Channel } from '#client/state/model.ts'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { type ChannelPageProps, draftKeyOf } from './channel-page.ts'
import { loadSubscribers } from './load-subscribers.ts'
import { addingLock, canUnsubscribe } from './rights.ts'

const nobody: ReadonlySet<number> = new Set()

/** Who is subscribed to a channel, to add and to remove. */
export function ChannelSubscribers({ channel }: ChannelPageProps) {
  const app = useApp()
  const { store, api } = app
  const [problem, setProblem] = useState<string | undefined>()
  const known = store.subscribers.get(channel.id)
  useEffect(() => {
    loadSubscribers(app, channel.id).then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(problemOf(error)),
    )
  }, [known?.all])
  return (
    <>
      <section class="setting-group">
        <AddPeople
          label={t('Subscribe others')}
          help={t('A group adds everyone who is in it now. You can paste email addresses.')}
          draftKey={`${draftKeyOf(channel)} add`}
          locked={addingLock(store, channel)}
          action={t('Subscribe them')}
          onAdd={(choice) => addSubscribers(app, channel, choice)}
        />
      </section>
      <section class="setting-group setting-group-wide">
        <h4>{t('Subscribers')}</h4>
        <Problem text={problem} />
        <PeopleTable
          label={t('Subscribers')}
          ids={known?.ids ?? nobody}
          empty={t('No one is subscribed.')}
          canRemove={(user) => canUnsubscribe(store, channel, user)}
          onRemove={({ id }) =>
            api.delete('/users/me/subscriptions', {
              subscriptions: [channel.name],
              principals: [id],
            })
          }
        />
      </section>
    </>
  )
}

/** The most people that one call subscribes. */
const mostAtOnce = 1000

/** @throws CallError */
async function addSubscribers(
  { store, api, notify }: App,
  channel: Channel,
  choice: GroupChoice,
): Promise<void> {
  const known = store.subscribers.peek(channel.id)?.ids ?? nobody
  const ids = peopleOf(choice, store).filter((id) => !known.has(id))
  if (ids.length === 0) {
    notify(t('All of them are already subscribed.'))
    return
  }
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    await api.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: ids.slice(at, at + mostAtOnce),
    })
  }
}
