import { SmilePlus } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { openEmojiPicker } from '#client/commands/open-emoji-picker.ts'
import { EmojiGlyph } from '#client/messages/reactions.tsx'
import type { UserStatus } from '#client/state/model.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { emojiText } from '#client/ui/emoji-text.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { text } from '#translations/translate.ts'

/** The server's limit, in characters. */
const longest = 60

const none: UserStatus = { text: '', emojiName: '', emojiCode: '', reactionType: 'unicode_emoji' }

/** Usual ones, to take with one click. */
const usual = [
  ['1f6e0', 'working_on_it', text('Busy')],
  ['1f4c5', 'calendar', text('In a meeting')],
  ['1f68c', 'bus', text('Commuting')],
  ['1f912', 'hurt', text('Out sick')],
  ['1f334', 'palm_tree', text('Vacationing')],
  ['1f3e0', 'house', text('Working remotely')],
] as const

/** What the user is doing, for others to see. */
export function StatusDialog({ onClose }: { readonly onClose: () => void }) {
  const app = useApp()
  const [status, setStatus] = useState(app.store.statuses.peek(app.store.selfId) ?? none)
  const [isBusy, setBusy] = useState(false)

  async function save(next: UserStatus): Promise<void> {
    setBusy(true)
    const done = await attempt(
      app,
      app.api.post('/users/me/status', {
        status_text: next.text.trim(),
        emoji_name: next.emojiName,
        ...(next.emojiName !== '' && {
          emoji_code: next.emojiCode,
          reaction_type: next.reactionType,
        }),
      }),
    )
    setBusy(false)
    if (done) onClose()
  }

  const { text, emojiName, emojiCode, reactionType } = status
  return (
    <Dialog title={t('Set your status')} size="small" onClose={onClose}>
      <form
        class="status-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save(status)
        }}
      >
        <div class="status-line">
          <button
            type="button"
            class="icon-button"
            aria-label={t('Status emoji')}
            onClick={(event) =>
              openEmojiPicker(app, event.currentTarget, ({ name, code, type }) =>
                setStatus({ ...status, emojiName: name, emojiCode: code, reactionType: type }),
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
            placeholder={t('What are you doing?')}
            maxLength={longest}
            value={text}
            onInput={(event) => setStatus({ ...status, text: event.currentTarget.value })}
          />
        </div>
        <ul class="status-usual">
          {usual.map(([code, name, words]) => (
            <li key={code}>
              <button
                type="button"
                class="menu-item"
                onClick={() =>
                  setStatus({
                    text: t(words),
                    emojiName: name,
                    emojiCode: code,
                    reactionType: 'unicode_emoji',
                  })
                }
              >
                <span class="glyph" aria-hidden="true">
                  {emojiText(code)}
                </span>
                {t(words)}
              </button>
            </li>
          ))}
        </ul>
        <div class="dialog-actions">
          <Button kind="quiet" disabled={isBusy} onClick={() => void save(none)}>
            {t('Clear')}
          </Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
