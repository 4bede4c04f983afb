import type { App } from '#client/app.ts'
import { conversationKey, type Message } from '#client/state/model.ts'
import { peopleNames, topicName } from '#client/state/names.ts'
import { t } from '#client/ui/t.ts'
import { messageText, shortened } from '#shared/message-text.ts'
import { isDeviceOn } from './device.ts'
import { noticeOf } from './rules.ts'
import { playSound } from './sound.ts'

/** The most of a message that a notification shows, in characters. */
const longest = 300

/**
 * Reports new messages by the system's notifications and a sound. Returns a function that stops
 * this.
 */
export function startDesktopNotices(app: App): () => void {
  return app.store.onMessages((change) => {
    // Push notifications covered the messages that came while no page was open.
    if (change.kind !== 'new' || !app.machine.isCaughtUp.peek()) return
    const { message } = change
    const { desktop, sound } = noticeOf(app.store, message)
    if (isBeingRead(app, message)) return
    if (desktop && canNotify()) void show(app, message)
    if (sound) playSound(app.store.settings.peek().notification_sound)
  })
}

function canNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}

/** Users who look at the conversation need no notice of it. */
function isBeingRead(app: App, { conversation }: Message): boolean {
  if (!document.hasFocus()) return false
  const view = app.router.view.peek()
  if (view.kind !== 'messages') return false
  const { narrow } = view
  const isShown =
    (narrow.kind === 'topic' || narrow.kind === 'direct') &&
    conversationKey(narrow) === conversationKey(conversation)
  return isShown && (app.pane.peek()?.isAtEnd.peek() ?? false)
}

async function show(app: App, message: Message): Promise<void> {
  const { store, router } = app
  const isDirect = message.conversation.kind === 'direct'
  const hidesText = isDirect && !store.settings.peek().pm_content_in_desktop_notifications
  const body = hidesText ? t('New direct message from {name}', { name: message.senderName }) : ''
  const options = {
    body: body || shortened(messageText(message.html), longest),
    tag: conversationKey(message.conversation),
    silent: true,
    icon: message.senderAvatarUrl,
  }
  // With pushes, the service worker shows one notification for both.
  const worker = isDeviceOn(store.selfId) && (await navigator.serviceWorker?.getRegistration())
  if (worker) {
    const url = router.href({ kind: 'messages', narrow: message.conversation, near: message.id })
    const data = { url: `/${url}`, messageIds: [message.id] }
    return await worker.showNotification(titleOf(app, message), { ...options, data })
  }
  const notification = new Notification(titleOf(app, message), options)
  notification.onclick = () => {
    window.focus()
    router.go({ kind: 'messages', narrow: message.conversation, near: message.id })
    notification.close()
  }
}

function titleOf({ store }: App, { senderName, conversation }: Message): string {
  if (conversation.kind === 'direct') {
    return conversation.userIds.length > 1
      ? t('{name} (with {people})', {
          name: senderName,
          people: peopleNames(conversation.userIds, store),
        })
      : senderName
  }
  const channel = store.channels.peek(conversation.channelId)?.name ?? ''
  return t('{name} (#{channel} › {topic})', {
    name: senderName,
    channel,
    topic: topicName(conversation.topic, store),
  })
}
