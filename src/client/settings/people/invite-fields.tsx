import { useApp } from '#client/app-context.ts'
import { FormCheck, FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { roleNames, roles } from '#client/lists/roles.ts'
import type { FormDraft } from '#client/settings/ui/form-draft.ts'
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

/** Who may make each kind of invitation, where the user may not. */
export type InviteLocks = Readonly<Record<InviteDraft['by'], string | undefined>>

interface PartProps {
  readonly draft: FormDraft<InviteDraft>
}

interface KindFieldProps extends PartProps {
  readonly locks: InviteLocks
}

interface AddressFieldProps extends PartProps {
  /** Addresses that were refused. */
  readonly uninvited: readonly Uninvited[]
}

/** The fields of an invitation. */
export function InviteFields({ draft, locks, uninvited }: KindFieldProps & AddressFieldProps) {
  const { store } = useApp()
  const isMail = draft.values.by === 'mail'
  const { is_admin, realm_welcome_message_custom_text: usualWelcome } = store.realm.value
  return (
    <>
      <KindField draft={draft} locks={locks} />
      {isMail && <AddressField draft={draft} uninvited={uninvited} />}
      <div class="invite-row">
        <ExpiryField draft={draft} />
        <RoleField draft={draft} />
      </div>
      <ChannelsField draft={draft} />
      <GroupsField draft={draft} />
      {is_admin && (
        <FormText
          label={t('Welcome text')}
          help={t('Added to the message from Welcome Bot, in place of the organization’s text.')}
          placeholder={usualWelcome || t('No custom message')}
          {...draft.text('welcome')}
          isLong
        />
      )}
      {isMail && (
        <FormCheck label={t('Notify me when they join')} {...draft.check('tellsInviter')} />
      )}
    </>
  )
}

function KindField({ draft, locks }: KindFieldProps) {
  const kinds = [
    ['link', t('Share a link')],
    ['mail', t('Email')],
  ] as const
  return (
    <fieldset class="field" aria-label={t('How to invite')}>
      <div class="cluster choice-row">
        {kinds.map(([kind, text]) => (
          <label key={kind} class="row choice">
            <input
              type="radio"
              name="invite-by"
              checked={draft.values.by === kind}
              disabled={locks[kind] !== undefined}
              onChange={() => draft.change({ by: kind })}
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

function AddressField({ draft, uninvited }: AddressFieldProps) {
  const count = addressesIn(draft.values.addresses).length
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
      {...draft.text('addresses')}
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

function ExpiryField({ draft }: PartProps) {
  const { expires, ownCount, ownUnit } = draft.values
  return (
    <div class="field">
      <FormChoice
        label={t('Expires')}
        choices={[
          ...usualExpiries.map((minutes) => ({
            value: minutes,
            label: minutes === null ? t('Never') : t('In {time}', { time: expiryText(minutes) }),
          })),
          { value: 'own' as const, label: t('Another time…') },
        ]}
        {...draft.choice('expires')}
      />
      {expires === 'own' && (
        <div class="row cluster number-row">
          <input
            class="input number-input"
            type="number"
            step="any"
            min={0}
            aria-label={t('Expires after')}
            value={ownCount}
            onInput={(event) => draft.change({ ownCount: event.currentTarget.value })}
          />
          <select
            class="input select"
            aria-label={t('Unit')}
            value={String(ownUnit)}
            onChange={(event) => draft.change({ ownUnit: Number(event.currentTarget.value) })}
          >
            <option value={String(hour)}>{t('hours')}</option>
            <option value={String(day)}>{t('days')}</option>
            <option value={String(week)}>{t('weeks')}</option>
          </select>
        </div>
      )}
      {minutesOf(draft.values) === undefined && <p class="field-problem">{t('Enter a number.')}</p>}
    </div>
  )
}

function RoleField({ draft }: PartProps) {
  const { store } = useApp()
  const own = store.users.get(store.selfId)?.role ?? 600
  return (
    <FormChoice
      label={t('They join as')}
      choices={roles
        .filter((each) => each >= own)
        .map((each) => ({ value: each, label: t(roleNames[each]) }))}
      {...draft.choice('role')}
    />
  )
}

function ChannelsField({ draft }: PartProps) {
  const { store } = useApp()
  const usual = new Set(store.realm.value.realm_default_streams)
  const names = [...usual].flatMap((id) => store.channels.get(id)?.name ?? [])
  const { joinsDefaults, channelIds } = draft.values
  const chosen = channelIds.flatMap((id) => store.channels.get(id) ?? [])
  return (
    <div class="field">
      <span class="field-label">{t('Channels')}</span>
      <FormCheck
        label={t('Default channels for new users')}
        help={names.length > 0 && listText(names, 'narrow')}
        {...draft.check('joinsDefaults')}
      />
      <PickMany
        label={t('Add a channel')}
        chosen={chosen.map(pickableChannel)}
        offer={() =>
          givenChannels(store)
            .filter(({ id }) => !(joinsDefaults && usual.has(id)))
            .map(pickableChannel)
        }
        onChange={draft.set('channelIds')}
      />
    </div>
  )
}

function GroupsField({ draft }: PartProps) {
  const { store } = useApp()
  const chosen = draft.values.groupIds.flatMap((id) => store.groups.get(id) ?? [])
  const given = givenGroups(store)
  if (given.length === 0 && chosen.length === 0) return null
  return (
    <div class="field">
      <span class="field-label">{t('Groups')}</span>
      <PickMany
        label={t('Add a group')}
        chosen={chosen.map(pickableGroup)}
        offer={() => given.map(pickableGroup)}
        onChange={draft.set('groupIds')}
      />
    </div>
  )
}
