import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import { AddRow } from '#client/settings/ui/add-row.tsx'
import { byName } from '#client/state/names.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { nameKey } from '#shared/names.ts'
import { texts } from '#translations/translate.ts'

/** Names that many organizations want; English, for `t()`. */
const suggestions = texts(['announcements', 'help', 'projects', 'off topic'])

/** The channels that there are, and a field that makes more of them. */
export function NewChannels() {
  const app = useApp()
  const { store, api } = app
  const [name, setName] = useState('')
  const channels = [...store.channels.all.values()]
    .filter(({ isArchived }) => !isArchived)
    .sort((a, b) => byName(a.name, b.name))
  const taken = new Set(channels.map((channel) => nameKey(channel.name)))
  const create = (wanted: string) =>
    api.post('/channels/create', {
      name: wanted.trim(),
      subscribers: [store.selfId],
      is_default_stream: true,
    })
  return (
    <>
      <ul class="cluster tight" aria-label={t('Channels')}>
        {channels.map((channel) => (
          <li key={channel.id} class="row tight group-chip">
            <ChannelIcon channelId={channel.id} />
            {channel.name}
          </li>
        ))}
      </ul>
      <AddRow
        label={t('Name of another channel')}
        value={name}
        onInput={setName}
        onAdd={() => create(name)}
      />
      <div class="row cluster">
        {suggestions
          .map((suggestion) => t(suggestion))
          .filter((suggestion) => !taken.has(nameKey(suggestion)))
          .map((suggestion) => (
            <Button
              key={suggestion}
              icon={Plus}
              onClick={() => void attempt(app, create(suggestion))}
            >
              {suggestion}
            </Button>
          ))}
      </div>
    </>
  )
}
