import { SmilePlus } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { MomentField } from '#client/commands/moment-field.tsx'
import { inAnHour, statusEnds } from '#client/commands/moments.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import { useBusy } from '#client/commands/use-busy.ts'
import { EmojiGlyph } from '#client/messages/reactions.tsx'
import type { UserStatus } from '#client/state/model.ts'
import { Button } from '#client/ui/button.tsx'
import { isoLocal } from '#client/ui/dates.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { emojiText } from '#shared/emoji-text.ts'
import { type Text, text } from '#translations/translate.ts'

/** The server's limit, in characters. */
const longest = 60

const none: UserStatus = {
  text: '',
  emojiName: '',
  emojiCode: '',
  reactionType: 'unicode_emoji',
  endsAt: null,
}

/** The end of a status: an index in `statusEnds` for the usual ones. */
type End = number | 'never' | 'other'

/** The usual statuses, to choose with one click. */
const usual = [
  ['1f6e0', 'working_on_it', text('Busy'), 1],
  ['1f4c5', 'calendar', text('In a meeting'), 1],
  ['1f68c', 'bus', text('Commuting'), 0],
  ['1f912', 'hurt', text('Out sick'), 3],
  ['1f334', 'palm_tree', text('Vacationing'), 'never'],
  ['1f3e0', 'house', text('Working remotely'), 3],
] as const satisfies readonly (readonly [string, string, Text, End])[]

/** Sets the user's status. */
export function StatusDialog({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const [status, setStatus] = useState(app.store.statuses.peek(app.store.selfId) ?? none)
  const [isBusy, busily] = useBusy()
  const [ends] = useState(statusEnds)
  const [end, setEnd] = useState<End>(status.endsAt === null ? 'never' : 'other')
  const [own, setOwn] = useState(() =>
    isoLocal(status.endsAt === null ? inAnHour() : toDate(status.endsAt)),
  )

  function endOf(chosen: End): number | null {
    if (chosen === 'never') return null
    const at = chosen === 'other' ? new Date(own) : ends[chosen]?.at
    return at ? Math.floor(at.getTime() / 1000) : null
  }

  async function save(next: UserStatus): Promise<void> {
    const call = app.api.post('/users/me/status', {
      status_text: next.text.trim(),
      scheduled_end_time: next.endsAt,
      emoji_name: next.emojiName,
      ...(next.emojiName !== '' && {
        emoji_code: next.emojiCode,
        reaction_type: next.reactionType,
      }),
    })
    if (await busily(attempt(app, call))) onClose()
  }

  const isEmpty = status.text.trim() === '' && status.emojiName === ''
  return (
    <Dialog title={t('Set your status')} size="small" onClose={onClose}>
      <form
        class="status-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save({ ...status, endsAt: isEmpty ? null : endOf(end) })
        }}
      >
        <StatusLine status={status} onChange={setStatus} />
        <UsualStatuses
          ends={ends}
          onChoose={(next, usualEnd) => {
            setEnd(usualEnd)
            setStatus(next)
          }}
        />
        <EndFields ends={ends} end={end} onEnd={setEnd} own={own} onOwn={setOwn} />
        <div class="dialog-actions">
          <Button kind="quiet" disabled={isBusy} onClick={() => void save(none)}>
            {t('Clear status')}
          </Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface StatusLineProps {
  readonly status: UserStatus
  readonly onChange: (status: UserStatus) => void
}

/** The emoji and the text. */
function StatusLine({ status, onChange }: StatusLineProps) {
  const app = useApp()
  const { text, emojiName, emojiCode, reactionType } = status
  return (
    <div class="status-line">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Status emoji')}
        onClick={(event) =>
          openEmojiPicker(app, event.currentTarget, ({ name, code, type }) =>
            onChange({ ...status, emojiName: name, emojiCode: code, reactionType: type }),
          )
        }
      >
        {emojiCode ? (
          <EmojiGlyph emoji={{ name: emojiName, code: emojiCode, type: reactionType }} />
        ) : (
          <Icon node={SmilePlus} />
        )}
      </button>
      <input
        class="input"
        aria-label={t('Status')}
        // On touch screens the keyboard would cover the usual ones.
        autofocus={!matchMedia('(pointer: coarse)').matches}
        placeholder={t('What are you doing?')}
        maxLength={longest}
        value={text}
        onInput={(event) => onChange({ ...status, text: event.currentTarget.value })}
      />
    </div>
  )
}

type Ends = ReturnType<typeof statusEnds>

interface UsualStatusesProps {
  readonly ends: Ends
  readonly onChoose: (status: UserStatus, end: End) => void
}

function UsualStatuses({ ends, onChoose }: UsualStatusesProps) {
  return (
    <ul>
      {usual.map(([code, name, words, usualEnd]) => (
        <li key={code}>
          <button
            type="button"
            class="row menu-item"
            onClick={() => {
              const emoji = { emojiName: name, emojiCode: code } as const
              onChoose({ ...none, ...emoji, text: t(words) }, usualEnd)
            }}
          >
            <span class="glyph" aria-hidden="true">
              {emojiText(code)}
            </span>
            <span class="grow">{t(words)}</span>
            <small class="status-end">
              {usualEnd === 'never' ? t("Don't clear") : ends[usualEnd]?.label}
            </small>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface EndFieldsProps {
  readonly ends: Ends
  readonly end: End
  readonly onEnd: (end: End) => void
  /** The time that the user chose. */
  readonly own: string
  readonly onOwn: (own: string) => void
}

/** When the status ends. */
function EndFields({ ends, end, onEnd, own, onOwn }: EndFieldsProps) {
  return (
    <div class="stack tight">
      <label class="field-label" for="status-until">
        {t('Clear after')}
      </label>
      <select
        id="status-until"
        class="input select"
        value={String(end)}
        onChange={({ currentTarget: { value } }) =>
          onEnd(value === 'never' || value === 'other' ? value : Number(value))
        }
      >
        <option value="never">{t("Don't clear")}</option>
        {ends.map(({ label }, index) => (
          <option key={label} value={String(index)}>
            {label}
          </option>
        ))}
        <option value="other">{t('Choose a time')}</option>
      </select>
      {end === 'other' && <MomentField value={own} onChange={onOwn} />}
    </div>
  )
}

function toDate(at: number): Date {
  return new Date(at * 1000)
}
