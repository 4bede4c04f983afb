import { CalendarClock, Clock, Pencil, Trash2, TriangleAlert } from 'lucide'
import type { ScheduledMessage } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { nextMoments } from '#client/commands/moments.ts'
import { openSurface } from '#client/commands/surfaces.tsx'
import { SourceView } from '#client/compose/source-view.tsx'
import { directConversation, topicConversation } from '#client/state/from-wire.ts'
import type { Conversation } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { momentText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Menu } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { TargetName } from './target-name.tsx'

/** Messages that will be sent later. */
export function ScheduledView() {
  const app = useApp()
  const messages = [...app.store.scheduled.all.values()].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp,
  )
  return (
    <div class="view">
      {messages.length === 0 && (
        <div class="empty">
          <Icon node={CalendarClock} size={40} class="empty-icon" />
          <h2>{t('Nothing scheduled')}</h2>
          <p>
            {t(
              'To send a message later, open the menu next to the send button. Scheduled messages show up here.',
            )}
          </p>
        </div>
      )}
      <ul class="stack loose cards" aria-label={t('Scheduled messages')}>
        {messages.map((message) => (
          <ScheduledCard key={message.scheduled_message_id} message={message} />
        ))}
      </ul>
    </div>
  )
}

function ScheduledCard({ message }: { readonly message: ScheduledMessage }) {
  const app = useApp()
  const { scheduled_message_id: id, scheduled_delivery_timestamp: at, failed } = message
  const conversation = conversationOf(app, message)
  const path = `/scheduled_messages/${id}`
  return (
    <li class="surface paper-card" data-row>
      <header class="paper-card-head">
        <TargetName target={conversation} />
        <time>{momentText(at, app.store.settings.value)}</time>
      </header>
      {failed && (
        <p class="row banner banner-error">
          <Icon node={TriangleAlert} size={16} />
          {t('It could not be sent at the scheduled time. Edit it to send it now.')}
        </p>
      )}
      <div class="paper-card-text">
        <SourceView source={message.content} html={message.rendered_content} />
      </div>
      <footer class="paper-card-foot">
        <IconButton
          label={t('Edit and stop sending it later')}
          icon={Pencil}
          size={16}
          onClick={async () => {
            if (!(await attempt(app, app.api.delete(path)))) return
            app.router.go({ kind: 'messages', narrow: conversation })
            app.compose.open(conversation, { text: message.content, focus: true })
          }}
        />
        <IconButton
          label={t('Change the time')}
          icon={Clock}
          size={16}
          aria-haspopup="menu"
          onClick={(event) => openTimes(app, path, event.currentTarget)}
        />
        <IconButton
          label={t('Delete')}
          icon={Trash2}
          size={16}
          onClick={() => void attempt(app, app.api.delete(path))}
        />
      </footer>
    </li>
  )
}

function openTimes(app: App, path: string, anchor: Element): void {
  openSurface((close) => (
    <Menu
      label={t('Change the time')}
      anchor={anchor}
      placement="bottom-end"
      onClose={close}
      items={nextMoments().map(({ label, at }) => ({
        label,
        onSelect: () =>
          void attempt(
            app,
            app.api.patch(path, {
              scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
            }),
          ),
      }))}
    />
  ))
}

function conversationOf({ store }: App, { to, topic }: ScheduledMessage): Conversation {
  return typeof to === 'number'
    ? topicConversation(to, topic ?? '')
    : directConversation(to, store.selfId)
}
