import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { leaveChannel } from '#client/commands/leave-channel.ts'
import { subscribe } from '#client/commands/subscriptions.ts'
import { canRead } from '#client/settings/channels/rights.ts'
import { byName, plainDescription } from '#client/state/names.ts'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { t, tn } from '#client/ui/t.ts'

/** How many channels are listed: those with the most subscribers; the filter finds the others. */
const mostListed = 50
const fewEnough = 8

/** The channels that the user can join, to tick. Each is joined and left immediately. */
export function JoinChannels() {
  const app = useApp()
  const { store } = app
  const [typed, setTyped] = useState('')
  const [offered] = useState(() => [...store.channels.all.keys()])
  const open = offered
    .flatMap((id) => store.channels.get(id) ?? [])
    .filter((channel) => !channel.isArchived && canRead(store, channel))
  const isWanted = matcher(typed)
  const listed = open
    .filter(({ name }) => isWanted(name))
    .sort((a, b) => b.subscriberCount - a.subscriberCount || byName(a.name, b.name))
    .slice(0, mostListed)
  if (open.length === 0) return <p>{t('There are no channels that you can join yet.')}</p>
  return (
    <>
      {open.length > fewEnough && (
        <FilterField
          label={t('Filter channels')}
          placeholder={t('Filter')}
          value={typed}
          onChange={setTyped}
        />
      )}
      <ul class="stack" aria-label={t('Channels')}>
        {listed.map((channel) => (
          <li key={channel.id}>
            <label class="check-row">
              <input
                type="checkbox"
                checked={store.subscriptions.get(channel.id) !== undefined}
                onChange={({ currentTarget }) =>
                  void (currentTarget.checked
                    ? subscribe(app, channel.id)
                    : leaveChannel(app, channel))
                }
              />
              <span>
                {channel.name}
                <span class="field-help field-help-block">
                  {[
                    plainDescription(channel),
                    tn(channel.subscriberCount, '1 subscriber', '{count} subscribers'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </label>
          </li>
        ))}
        {listed.length === 0 && <li class="field-help">{t('No matching channels')}</li>}
      </ul>
      {open.length > mostListed && (
        <p class="field-help">{t('These are the largest. Use the filter to find others.')}</p>
      )}
    </>
  )
}
