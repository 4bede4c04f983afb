import { X } from 'lucide'
import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { useFetched } from '#client/commands/use-fetched.ts'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { canUnsubscribe } from '#client/settings/channels/rights.ts'
import { canRemoveMember } from '#client/settings/groups/rights.ts'
import type { Channel, Group, User } from '#client/state/model.ts'
import { byName, userName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { AddOne, type Pickable } from './pick-many.tsx'
import { givenChannels, givenGroups, pickableChannel, pickableGroup } from './pickables.tsx'

interface Membership extends Pickable {
  readonly href: string
  /** Beside the name, such as through which group. */
  readonly note?: string | undefined
  /** Absent where the user may not. @throws CallError */
  readonly onRemove?: (() => Promise<unknown>) | undefined
  /** The confirmation, if it cannot be undone. */
  readonly warning?: string | undefined
}

interface MembershipsProps {
  readonly listLabel: string
  readonly addLabel: string
  readonly listed: readonly Membership[]
  readonly empty: string
  /** The choices to add; if there are none, `cannotAdd` says why. */
  readonly offered: readonly Pickable[]
  readonly cannotAdd: string
  /** @throws CallError */
  readonly onAdd: (id: number) => Promise<unknown>
}

/** The memberships of a person, to add and remove. */
function Memberships(props: MembershipsProps) {
  const { listLabel, addLabel, listed, empty, offered, cannotAdd, onAdd } = props
  const { status, save } = useSave<(() => Promise<unknown>) | undefined>(undefined, async (act) => {
    await act?.()
  })
  function remove({ name, warning, onRemove }: Membership): void {
    if (!onRemove) return
    if (warning === undefined) {
      void save(onRemove)
      return
    }
    openConfirm({
      title: t('Remove from {name}?', { name }),
      text: warning,
      action: t('Remove'),
      run: async () => {
        await onRemove()
      },
    })
  }
  return (
    <section class="stack tight setting">
      {offered.length > 0 ? (
        <AddOne label={addLabel} offer={() => offered} onAdd={(id) => void save(() => onAdd(id))} />
      ) : (
        <p class="field-help">{cannotAdd}</p>
      )}
      <Problem text={problemIn(status)} />
      {listed.length === 0 && <p class="field-help">{empty}</p>}
      <ul class="memberships" aria-label={listLabel}>
        {[...listed]
          .sort((a, b) => byName(a.name, b.name))
          .map((one) => (
            <li key={one.id} class="row membership">
              {one.picture?.()}
              <a class="ellipsis" href={one.href}>
                {one.name}
              </a>
              {one.note && <span class="field-help">{one.note}</span>}
              {one.onRemove && (
                <IconButton
                  label={t('Remove from {name}', { name: one.name })}
                  icon={X}
                  size={16}
                  onClick={() => remove(one)}
                />
              )}
            </li>
          ))}
      </ul>
    </section>
  )
}

interface PersonProps {
  readonly user: User
}

/** The channels that someone is subscribed to and the user may see. */
export function PersonChannels({ user }: PersonProps) {
  const app = useApp()
  const { store, api, router } = app
  const fetched = useFetched(undefined, () =>
    api.get<{ subscribed_channel_ids: readonly number[] }>(`/users/${user.id}/channels`),
  )
  // Subscriptions of others come as events of their channels.
  const version = store.subscribers.version.value
  useEffect(() => {
    if (fetched.value) fetched.reload()
  }, [version])
  if (fetched.problem !== undefined) {
    return (
      <div class="stack loose failure" role="alert">
        <p>{fetched.problem}</p>
        <Button onClick={fetched.reload}>{t('Try again')}</Button>
      </div>
    )
  }
  if (!fetched.value) return null
  const ids = new Set(fetched.value.subscribed_channel_ids)
  const path = '/users/me/subscriptions'
  const principals = [user.id]
  const listed = (channel: Channel): Membership => ({
    ...pickableChannel(channel),
    href: router.href({ kind: 'messages', narrow: { kind: 'channel', channelId: channel.id } }),
    note: channel.isArchived ? t('archived') : undefined,
    onRemove: canUnsubscribe(store, channel, user)
      ? () => api.delete(path, { subscriptions: [channel.name], principals })
      : undefined,
    warning: channel.isPrivate
      ? t('This channel is private. {name} cannot rejoin without being added.', {
          name: user.name,
        })
      : undefined,
  })
  return (
    <Memberships
      listLabel={t('Channels')}
      addLabel={t('Subscribe to a channel')}
      listed={[...ids].flatMap((id) => store.channels.get(id) ?? []).map(listed)}
      empty={t('No channels that you can see.')}
      offered={
        user.isActive
          ? givenChannels(store)
              .filter(({ id }) => !ids.has(id))
              .map(pickableChannel)
          : []
      }
      cannotAdd={
        user.isActive
          ? t('There are no other channels you can subscribe them to.')
          : t('Deactivated accounts keep their channels in case they return.')
      }
      onAdd={(id) =>
        api.post(path, {
          subscriptions: [{ name: store.channels.peek(id)?.name }],
          principals,
        })
      }
    />
  )
}

/** The groups that someone is in, by themselves or by another group. */
export function PersonGroups({ user }: PersonProps) {
  const { store, api, router } = useApp()
  const all = [...store.groups.all.values()].filter((group) => !group.isDeactivated)
  const direct = all.filter((group) => !group.isSystem && group.memberIds.has(user.id))
  const ids = new Set(direct.map(({ id }) => id))
  const listed = (group: Group): Membership => ({
    ...pickableGroup(group),
    href: router.href({ kind: 'group', groupId: group.id, section: 'general' }),
    onRemove: canRemoveMember(store, group, user.id)
      ? () => api.post(`/user_groups/${group.id}/members`, { delete: [user.id] })
      : undefined,
  })
  const through = all
    .filter(({ isSystem, id }) => !isSystem && !ids.has(id))
    .flatMap((group) => {
      const way = all.find(({ id }) => group.subgroupIds.has(id) && isInside(id))
      if (!way) return []
      const note = way.isSystem ? t('by their role') : t('through {name}', { name: way.name })
      return [{ ...listed(group), note, onRemove: undefined }]
    })
  function isInside(groupId: number): boolean {
    const group = store.groups.peek(groupId)
    if (!group || group.isDeactivated) return false
    return group.memberIds.has(user.id) || [...group.subgroupIds].some(isInside)
  }
  return (
    <Memberships
      listLabel={t('Groups')}
      addLabel={t('Add to a group')}
      listed={[...direct.map(listed), ...through]}
      empty={t('{name} is not in any groups.', { name: userName(user.id, store) })}
      offered={
        user.isActive
          ? givenGroups(store, user.id)
              .filter(({ id }) => !ids.has(id))
              .map(pickableGroup)
          : []
      }
      cannotAdd={
        user.isActive
          ? t('There are no other groups you can add them to.')
          : t('Deactivated accounts keep their groups in case they return.')
      }
      onAdd={(id) => api.post(`/user_groups/${id}/members`, { add: [user.id] })}
    />
  )
}
