import { useApp } from '#client/app-context.ts'
import { useSave } from '#client/commands/use-save.ts'
import { fingerprint, useDraft } from '#client/settings/ui/draft.ts'
import { DraftButtons } from '#client/settings/ui/draft-buttons.tsx'
import { controlProps, FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { numberOf } from '#client/settings/ui/number-field.tsx'
import { t, tn } from '#client/ui/t.ts'
import { type ChannelPageProps, draftKeyOf } from './channel-page.ts'
import { channelLocks } from './rights.ts'

/** The choice, with the days as typed. */
export interface RetentionChoice {
  readonly kind: 'inherit' | 'forever' | 'days'
  readonly days: string
}

const forever = -1
const name = 'message_retention_days'

/**
 * How long messages of a channel are kept: saved by a button, because deleted messages are gone.
 */
export function RetentionField({ channel }: ChannelPageProps) {
  const app = useApp()
  const value = channel.retentionDays
  const draft = useDraft<RetentionChoice>(`${draftKeyOf(channel)} ${name}`)
  const saving = useSave(value, (days) =>
    app.api.patch(`/streams/${channel.id}`, { message_retention_days: retentionToWire(days) }),
  )
  const locked = channelLocks(app, channel).retention
  const shown = draft.value?.typed ?? typedOf(saving.shown)
  const next = retentionOf(shown)
  const isChanged = draft.value !== undefined && next !== value
  const isOvertaken = draft.value !== undefined && draft.value.base !== fingerprint(value)
  const type = (typed: RetentionChoice) => {
    saving.clear()
    draft.value = { typed, base: draft.peek()?.base ?? fingerprint(value) }
  }
  return (
    <FieldFrame name={name} label={t('Delete messages')} locked={locked} status={saving.status}>
      <RetentionControl choice={shown} control={controlProps({ name, locked })} onChange={type} />
      {isChanged && (
        <DraftButtons
          isSaving={saving.status.kind === 'saving'}
          isInvalid={next === undefined}
          meanwhile={isOvertaken ? retentionText(value) : undefined}
          onSave={async () => {
            if (next !== undefined && (await saving.save(next))) draft.value = undefined
          }}
          onCancel={() => {
            draft.value = undefined
            saving.clear()
          }}
        />
      )}
    </FieldFrame>
  )
}

interface RetentionControlProps {
  readonly choice: RetentionChoice
  /** Further attributes of the control. */
  readonly control?: { readonly id: string; readonly disabled: boolean }
  readonly onChange: (choice: RetentionChoice) => void
}

/** Chooses how long messages are kept. */
export function RetentionControl({ choice, control, onChange }: RetentionControlProps) {
  const { store } = useApp()
  const ofRealm = retentionText(store.realm.value.realm_message_retention_days ?? forever)
  return (
    <div class="row cluster number-row">
      <select
        aria-label={control ? undefined : t('Delete messages')}
        {...control}
        class="input select"
        value={choice.kind}
        onChange={({ currentTarget }) =>
          onChange({ ...choice, kind: currentTarget.value as RetentionChoice['kind'] })
        }
      >
        <option value="inherit">{t('Organization default: {time}', { time: ofRealm })}</option>
        <option value="forever">{retentionText(forever)}</option>
        <option value="days">{t('After a number of days')}</option>
      </select>
      {choice.kind === 'days' && (
        <input
          class="input number-input"
          type="number"
          min={1}
          aria-label={t('Days')}
          disabled={control?.disabled}
          value={choice.days}
          onInput={({ currentTarget }) => onChange({ kind: 'days', days: currentTarget.value })}
        />
      )}
    </div>
  )
}

function typedOf(days: number | null): RetentionChoice {
  if (days === null) return { kind: 'inherit', days: '' }
  return days === forever ? { kind: 'forever', days: '' } : { kind: 'days', days: String(days) }
}

/** Undefined if the days are not a number above 0. */
export function retentionOf({ kind, days }: RetentionChoice): number | null | undefined {
  if (kind === 'inherit') return null
  if (kind === 'forever') return forever
  const number = numberOf(days, 1)
  return number !== undefined && number >= 1 ? number : undefined
}

/** For the server. */
export function retentionToWire(days: number | null): number | 'realm_default' | 'unlimited' {
  if (days === null) return 'realm_default'
  return days === forever ? 'unlimited' : days
}

function retentionText(days: number | null): string {
  if (days === null) return t('Organization default')
  return days === forever ? t('Never') : tn(days, 'After one day', 'After {count} days')
}
