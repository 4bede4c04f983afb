import { useState } from 'preact/hooks'
import { attempt } from '#client/actions/attempt.ts'
import { byName } from '#client/lists/names.ts'
import { can } from '#client/state/permissions.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'

const privacies = {
  public: { invite_only: false, history_public_to_subscribers: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
} as const

type Privacy = keyof typeof privacies

/** The form that creates a channel. */
export function NewChannel({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const { store, router } = app
  const realm = store.realm.value
  const mayPublic = can(store, 'can_create_public_channel_group')
  const mayPrivate = can(store, 'can_create_private_channel_group')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [privacy, setPrivacy] = useState<Privacy>(mayPublic ? 'public' : 'shared')
  const [folderId, setFolder] = useState('')
  const [people, setPeople] = useState<ReadonlySet<number>>(new Set())
  const [announces, setAnnounces] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const taken = [...store.channels.current.values()].some(
    (channel) => channel.name.toLowerCase() === name.trim().toLowerCase(),
  )
  const choices: readonly (readonly [Privacy, string, string, boolean])[] = [
    ['public', t('Public'), t('Everybody in the organization can read and join it.'), mayPublic],
    [
      'shared',
      t('Private, shared history'),
      t('For those who were added; they see everything ever written.'),
      mayPrivate,
    ],
    [
      'protected',
      t('Private, protected history'),
      t('For those who were added; they see what was written since.'),
      mayPrivate,
    ],
  ]
  const folders = [...store.folders.all.values()].filter(({ is_archived }) => !is_archived)

  async function create(): Promise<void> {
    setBusy(true)
    const reply = await attempt(
      app,
      app.api.post<{ id: number }>('/channels/create', {
        name: name.trim(),
        description: description.trim(),
        subscribers: [store.selfId, ...people],
        announce: announces,
        ...privacies[privacy],
        ...(folderId !== '' && { folder_id: Number(folderId) }),
      }),
    )
    setBusy(false)
    if (!reply) return
    app.notify(t('The channel was created.'))
    router.go({ kind: 'messages', narrow: { kind: 'channel', channelId: reply.id } })
  }

  return (
    <Dialog title={t('New channel')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <label class="field">
          <span class="field-label">{t('Name')}</span>
          <input
            class="input"
            required
            maxLength={realm.max_stream_name_length}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          {taken && <span class="field-problem">{t('There is a channel of this name.')}</span>}
        </label>
        <label class="field">
          <span class="field-label">{t('Description')}</span>
          <textarea
            class="input"
            rows={2}
            maxLength={realm.max_stream_description_length}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </label>
        <fieldset class="field">
          <legend class="field-label">{t('Who can read it')}</legend>
          {choices.map(
            ([key, label, help, isAllowed]) =>
              isAllowed && (
                <label key={key} class="check-row">
                  <input
                    type="radio"
                    name="privacy"
                    checked={privacy === key}
                    onChange={() => setPrivacy(key)}
                  />
                  <span>
                    {label}
                    <span class="field-help field-help-block">{help}</span>
                  </span>
                </label>
              ),
          )}
        </fieldset>
        {folders.length > 0 && (
          <label class="field">
            <span class="field-label">{t('Folder')}</span>
            <select
              class="input"
              value={folderId}
              onChange={(event) => setFolder(event.currentTarget.value)}
            >
              <option value="">{t('None')}</option>
              {folders.map(({ id, name: folder }) => (
                <option key={id} value={String(id)}>
                  {folder}
                </option>
              ))}
            </select>
          </label>
        )}
        <PeoplePicker chosen={people} onChange={setPeople} />
        {realm.realm_new_stream_announcements_stream_id > 0 && privacy === 'public' && (
          <label class="check-row">
            <input
              type="checkbox"
              checked={announces}
              onChange={(event) => setAnnounces(event.currentTarget.checked)}
            />
            {t('Announce it')}
          </label>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            disabled={name.trim() === '' || taken}
          >
            {t('Create channel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface PeoplePickerProps {
  readonly chosen: ReadonlySet<number>
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

const mostShown = 30

/** Who is subscribed from the start, besides oneself. */
function PeoplePicker({ chosen, onChange }: PeoplePickerProps) {
  const { store } = useApp()
  const [filter, setFilter] = useState('')
  const isWanted = matcher(filter)
  const people = [...store.users.current.values()]
    .filter(({ id, isActive, isBot }) => isActive && !isBot && id !== store.selfId)
    .filter(({ name }) => isWanted(name))
    .sort((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)) || byName(a.name, b.name))
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <fieldset class="field">
      <legend class="field-label">
        {t('People')} {chosen.size > 0 && `(${chosen.size})`}
      </legend>
      <input
        type="search"
        class="input"
        aria-label={t('Filter people')}
        placeholder={t('Filter people')}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <ul class="picker-list">
        {people.slice(0, mostShown).map(({ id, name }) => (
          <li key={id}>
            <label class="check-row">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              {name}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
