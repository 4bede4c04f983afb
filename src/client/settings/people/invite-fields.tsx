import { useApp } from '#client/app-context.ts'
import { FormCheck, FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { roleNames, roles } from '#client/lists/roles.ts'
import { listText, t, tn } from '#client/ui/t.ts'
import {
  addressesIn,
  day,
  hour,
  type InviteDraft,
  minutesOf,
  type Uninvited,
  usualExpiries,
  week,
} from './invite-draft.ts'
import { PickMany } from './pick-many.tsx'
import { givenChannels, givenGroups, pickableChannel, pickableGroup } from './pickables.tsx'

interface InviteFieldsProps {
  readonly draft: InviteDraft
  /** Who may make each kind, where the user may not. */
  readonly locks: Readonly<Record<InviteDraft['by'], string | undefined>>
  /** Addresses that were refused. */
  readonly uninvited: readonly Uninvited[]
  readonly onChange: (changes: Partial<InviteDraft>) => void
}

/** The fields of an invitation. */
export function InviteFields({ draft, locks, uninvited, onChange }: InviteFieldsProps) {
  const { store } = useApp()
  const { is_admin, realm_welcome_message_custom_text: usualWelcome } = store.realm.value
  return (
    <>
      <KindField draft={draft} locks={locks} onChange={onChange} />
      {draft.by === 'mail' && (
        <AddressField draft={draft} uninvited={uninvited} onChange={onChange} />
      )}
      <div class="invite-row">
        <ExpiryField draft={draft} onChange={onChange} />
        <RoleField draft={draft} onChange={onChange} />
      </div>
      <ChannelsField draft={draft} onChange={onChange} />
      <GroupsField draft={draft} onChange={onChange} />
      {is_admin && (
        <FormText
          label={t('Welcome text')}
          help={t('Added to the message from Welcome Bot, in place of the organization’s text.')}
          placeholder={usualWelcome || t('No custom message')}
          value={draft.welcome}
          onInput={(welcome) => onChange({ welcome })}
          isLong
        />
      )}
      {draft.by === 'mail' && (
        <FormCheck
          label={t('Notify me when they join')}
          isChecked={draft.tellsInviter}
          onChange={(tellsInviter) => onChange({ tellsInviter })}
        />
      )}
    </>
  )
}

type PartProps = Pick<InviteFieldsProps, 'draft' | 'onChange'>

function KindField({ draft, locks, onChange }: Omit<InviteFieldsProps, 'uninvited'>) {
  const kinds = [
    ['link', t('Share a link')],
    ['mail', t('Email')],
  ] as const
  return (
    <fieldset class="field" aria-label={t('How to invite')}>
      <div class="choice-row">
        {kinds.map(([kind, text]) => (
          <label key={kind} class="choice">
            <input
              type="radio"
              name="invite-by"
              checked={draft.by === kind}
              disabled={locks[kind] !== undefined}
              onChange={() => onChange({ by: kind })}
            />
            {text}
          </label>
        ))}
      </div>
      {kinds.map(
        ([kind, text]) =>
          locks[kind] && (
            <p key={kind} class="field-help">
              {text}: {locks[kind]}
            </p>
          ),
      )}
    </fieldset>
  )
}

function AddressField({ draft, uninvited, onChange }: Omit<InviteFieldsProps, 'locks'>) {
  const count = addressesIn(draft.addresses).length
  return (
    <FormText
      label={t('Email addresses')}
      help={
        count > 1
          ? tn(count, 'One address', '{count} addresses')
          : t('Separate with commas, spaces or new lines. You can paste a list.')
      }
      problem={
        uninvited.map(({ address, reason }) => `${address}: ${reason}`).join('\n') || undefined
      }
      value={draft.addresses}
      onInput={(addresses) => onChange({ addresses })}
      isLong
      isRequired
    />
  )
}

/** A length of time, in words. */
export function expiryText(minutes: number): string {
  if (minutes % week === 0) return tn(minutes / week, 'one week', '{count} weeks')
  if (minutes % day === 0) return tn(minutes / day, 'one day', '{count} days')
  if (minutes % hour === 0) return tn(minutes / hour, 'one hour', '{count} hours')
  return tn(minutes, 'one minute', '{count} minutes')
}

function ExpiryField({ draft, onChange }: PartProps) {
  const { expires } = draft
  return (
    <div class="field">
      <FormChoice
        label={t('Expires')}
        value={expires}
        choices={[
          ...usualExpiries.map((minutes) => ({
            value: minutes,
            label: minutes === null ? t('Never') : t('In {time}', { time: expiryText(minutes) }),
          })),
          { value: 'own' as const, label: t('Another time…') },
        ]}
        onChange={(chosen) => onChange({ expires: chosen })}
      />
      {expires === 'own' && (
        <div class="number-row">
          <input
            class="input number-input"
            type="number"
            step="any"
            min={0}
            aria-label={t('Expires after')}
            value={draft.ownCount}
            onInput={(event) => onChange({ ownCount: event.currentTarget.value })}
          />
          <select
            class="input select"
            aria-label={t('Unit')}
            value={String(draft.ownUnit)}
            onChange={(event) => onChange({ ownUnit: Number(event.currentTarget.value) })}
          >
            <option value={String(hour)}>{t('hours')}</option>
            <option value={String(day)}>{t('days')}</option>
            <option value={String(week)}>{t('weeks')}</option>
          </select>
        </div>
      )}
      {minutesOf(draft) === undefined && <p class="field-problem">{t('Enter a number.')}</p>}
    </div>
  )
}

function RoleField({ draft, onChange }: PartProps) {
  const { store } = useApp()
  const own = store.users.get(store.selfId)?.role ?? 600
  return (
    <FormChoice
      label={t('They join as')}
      value={draft.role}
      choices={roles
        .filter((each) => each >= own)
        .map((each) => ({ value: each, label: t(roleNames[each]) }))}
      onChange={(role) => onChange({ role })}
    />
  )
}

function ChannelsField({ draft, onChange }: PartProps) {
  const { store } = useApp()
  const usual = new Set(store.realm.value.realm_default_streams)
  const names = [...usual].flatMap((id) => store.channels.get(id)?.name ?? [])
  const chosen = draft.channelIds.flatMap((id) => store.channels.get(id) ?? [])
  return (
    <div class="field">
      <span class="field-label">{t('Channels')}</span>
      <FormCheck
        label={t('Default channels for new users')}
        help={names.length > 0 && listText(names, 'narrow')}
        isChecked={draft.joinsDefaults}
        onChange={(joinsDefaults) => onChange({ joinsDefaults })}
      />
      <PickMany
        label={t('Add a channel')}
        chosen={chosen.map(pickableChannel)}
        offer={() =>
          givenChannels(store)
            .filter(({ id }) => !(draft.joinsDefaults && usual.has(id)))
            .map(pickableChannel)
        }
        onChange={(channelIds) => onChange({ channelIds })}
      />
    </div>
  )
}

function GroupsField({ draft, onChange }: PartProps) {
  const { store } = useApp()
  const chosen = draft.groupIds.flatMap((id) => store.groups.get(id) ?? [])
  const given = givenGroups(store)
  if (given.length === 0 && chosen.length === 0) return null
  return (
    <div class="field">
      <span class="field-label">{t('Groups')}</span>
      <PickMany
        label={t('Add a group')}
        chosen={chosen.map(pickableGroup)}
        offer={() => given.map(pickableGroup)}
        onChange={(groupIds) => onChange({ groupIds })}
      />
    </div>
  )
}
