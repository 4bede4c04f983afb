import { useId } from 'preact/hooks'
import type { Integration } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { FormCheck, FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { canPost } from '#client/commands/permissions.ts'
import type { FormDraft } from '#client/settings/ui/form-draft.ts'
import { SelectOne } from '#client/settings/ui/select-one.tsx'
import { byName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { t, tSent } from '#client/ui/t.ts'
import { type Destination, isOptionOn, optionValue } from './webhook-url.ts'

interface DestinationFieldsProps {
  readonly service: Integration
  readonly draft: FormDraft<Destination>
}

/** The parameters of the webhook URL: the channel, the topic and the events. */
export function DestinationFields({ service, draft }: DestinationFieldsProps) {
  const { store } = useApp()
  const channelField = useId()
  const { channelId, events, options } = draft.values
  return (
    <div class="form">
      <div class="field">
        <label class="field-label" for={channelField}>
          {t('Channel')}
        </label>
        <SelectOne
          id={channelField}
          label={t('Channel')}
          value={channelId}
          choices={[
            { value: null, label: t('None: send direct messages to the bot’s owner') },
            ...channelsOf(store).map(({ id, name }) => ({ value: id, label: `#${name}` })),
          ]}
          onChange={draft.set('channelId')}
        />
      </div>
      {channelId !== null && (
        <FormText
          label={t('Topic')}
          help={t('If empty, each subject gets its own topic, such as “{topic}”.', {
            topic: service.example.topic,
          })}
          maxLength={store.realm.value.max_topic_length}
          {...draft.text('topic')}
        />
      )}
      {service.all_event_types && (
        <Events all={service.all_event_types} chosen={events} onChange={draft.set('events')} />
      )}
      {service.url_options.map((option) => {
        const { key, label, validator } = option
        const set = (value: string) => draft.change({ options: { ...options, [key]: value } })
        const value = options[key] ?? ''
        return validator === 'check_bool' ? (
          <FormCheck
            key={key}
            label={tSent(label)}
            isChecked={isOptionOn(option, value)}
            onChange={(isOn) => set(optionValue(option, isOn))}
          />
        ) : (
          <FormText key={key} label={tSent(label)} value={value} onInput={set} />
        )
      })}
    </div>
  )
}

/** Channels that a bot of the user may post in, those that the user is in first. */
function channelsOf(store: Store) {
  const rankOf = (id: number) => (store.subscriptions.all.has(id) ? 0 : 1)
  return [...store.channels.all.values()]
    .filter((channel) => canPost(store, channel))
    .sort((a, b) => rankOf(a.id) - rankOf(b.id) || byName(a.name, b.name))
}

interface EventsProps {
  readonly all: readonly string[]
  readonly chosen: readonly string[] | null
  readonly onChange: (chosen: readonly string[] | null) => void
}

function Events({ all, chosen, onChange }: EventsProps) {
  const choices = [
    { value: 'all', label: t('All events') },
    { value: 'some', label: t('Only some') },
  ]
  return (
    <>
      <FormChoice
        label={t('Events')}
        value={chosen === null ? 'all' : 'some'}
        choices={choices}
        onChange={(which) => onChange(which === 'all' ? null : [])}
      />
      {chosen !== null && (
        <fieldset class="integration-events" aria-label={t('Events to post')}>
          {all.map((name) => (
            <label key={name} class="check-row">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(all.filter((each) => (each === name ? checked : chosen.includes(each))))
                }
              />
              {name.replaceAll('_', ' ')}
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}
