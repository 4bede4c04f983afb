import { Trash2 } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import { AddOne } from '#client/settings/people/pick-many.tsx'
import { pickableChannel } from '#client/settings/people/pickables.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import type { Channel } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

/** The channels that new people are subscribed to. */
export function DefaultChannels() {
  const app = useApp()
  const { store } = app
  const locked = lockOf(app)
  const channels = store.channels.all
  const rows = store.realm.value.realm_default_streams.flatMap((id) => channels.get(id) ?? [])
  const columns: readonly Column<Channel>[] = [
    {
      id: 'name',
      title: t('Channel'),
      compare: (a, b) => byName(a.name, b.name),
      cell: ({ id, name }) => (
        <span class="row tight icon-text">
          <ChannelIcon channelId={id} /> {name}
        </span>
      ),
    },
    {
      id: 'description',
      title: t('Description'),
      isWide: true,
      grows: true,
      cell: ({ description }) => description,
    },
    {
      id: 'subscribers',
      title: t('Subscribers'),
      isNarrow: true,
      compare: (a, b) => a.subscriberCount - b.subscriberCount,
      cell: ({ subscriberCount }) => subscriberCount,
    },
    {
      id: 'remove',
      title: t('Remove'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (channel) =>
        locked === undefined && (
          <IconButton
            label={t('Remove {name}', { name: channel.name })}
            icon={Trash2}
            size={16}
            onClick={() => askRemoval(app, channel)}
          />
        ),
    },
  ]
  return (
    <>
      <p class="field-help">
        {t('New users are subscribed to these channels. Existing users are not affected.')}
      </p>
      <LockNote locked={locked} />
      {locked === undefined && <AddChannel chosen={rows} />}
      <DataTable
        label={t('Default channels')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        words={({ name, description }) => [name, description]}
        sortedBy="name"
        empty={t('New users are not subscribed to any channels.')}
      />
    </>
  )
}

function askRemoval({ api }: App, { id, name }: Channel): void {
  openConfirm({
    title: t('Remove #{name}?', { name }),
    text: t('New users will no longer be subscribed to it. Existing subscribers are not affected.'),
    action: t('Remove'),
    run: async () => {
      await api.delete('/default_streams', { stream_id: id })
    },
  })
}

function AddChannel({ chosen }: { readonly chosen: readonly Channel[] }) {
  const { store, api } = useApp()
  const saving = useSave<number | undefined>(undefined, (stream_id) =>
    api.post('/default_streams', { stream_id }),
  )
  return (
    <div class="stack tight setting">
      <AddOne
        label={t('Add a channel')}
        offer={() =>
          [...store.channels.all.values()]
            .filter((each) => !each.isPrivate && !each.isArchived && !chosen.includes(each))
            .map(pickableChannel)
        }
        onType={saving.clear}
        onAdd={(id) => void saving.save(id)}
      />
      <p class="field-help">{t('Private channels cannot be default channels.')}</p>
      <Problem text={problemIn(saving.status)} />
    </div>
  )
}
