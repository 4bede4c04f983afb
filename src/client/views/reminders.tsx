import { AlarmClock, Trash2 } from 'lucide'
import { useEffect } from 'preact/hooks'
import type { Reminder } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { findMessage } from '#client/lists/one-message.ts'
import { ServerHtml } from '#client/messages/message-body.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { momentText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { TargetName } from './target-name.tsx'

/** Messages about which the user will be reminded. */
export function RemindersView() {
  const app = useApp()
  const reminders = [...app.store.reminders.all.values()].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp,
  )
  return (
    <div class="view">
      {reminders.length === 0 && (
        <div class="empty">
          <Icon node={AlarmClock} size={40} class="empty-icon" />
          <h2>{t('No reminders')}</h2>
          <p>{t("You can set reminders from a message's menu.")}</p>
        </div>
      )}
      <ul class="stack loose cards" aria-label={t('Reminders')}>
        {reminders.map((reminder) => (
          <ReminderCard key={reminder.reminder_id} reminder={reminder} />
        ))}
      </ul>
    </div>
  )
}

function ReminderCard({ reminder }: { readonly reminder: Reminder }) {
  const app = useApp()
  const { reminder_id: id, reminder_target_message_id: targetId } = reminder
  const message = app.store.messages.get(targetId)
  // Without it, the reminder shows what it will say.
  useEffect(() => void findMessage(app, targetId), [app, targetId])
  return (
    <li class="surface paper-card" data-row>
      <header class="paper-card-head">
        {message ? (
          <a
            href={app.router.href({
              kind: 'messages',
              narrow: message.conversation,
              near: targetId,
            })}
          >
            <TargetName target={message.conversation} />
          </a>
        ) : (
          <span>{t('Reminder')}</span>
        )}
        <time>{momentText(reminder.scheduled_delivery_timestamp, app.store.settings.value)}</time>
      </header>
      <ServerHtml html={message?.html ?? reminder.rendered_content} />
      <footer class="paper-card-foot">
        <IconButton
          label={t('Delete the reminder')}
          icon={Trash2}
          size={16}
          onClick={() => void attempt(app, app.api.delete(`/reminders/${id}`))}
        />
      </footer>
    </li>
  )
}
