import type { App } from '#client/app.ts'
import { summaryOf } from '#client/messages/summary.ts'
import { showsConversation } from '#client/narrow/matches.ts'
import {
  type Conversation,
  conversationKey,
  type Message,
  type MessageFlag,
} from '#client/state/model.ts'
import { peopleNames, topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { isMuted } from '#client/state/unreads.ts'
import { openDialogs } from '#client/ui/open-dialogs.ts'
import { t } from '#client/ui/t.ts'
import { isIdle } from '#client/ui/user-input.ts'
import { shortened } from '#shared/message-text.ts'
import { isDeviceOn } from './device-id.ts'
import { type Notice, noticeOf } from './rules.ts'
import { openSpeaking } from './speaking.ts'

/** The most of a message that a notification shows, in characters. */
const longest = 300

/**
 * Reports new messages by the system's notifications and a sound. Returns a function that stops
 * this.
 */
export function startDesktopNotices(app: App): () => void {
  const { store } = app
  const speaking = openSpeaking(`parley:notices:${store.selfId}`, ({ messageId, conversation }) => {
    const known = store.messages.peek(messageId)
    return (
      isBeingRead(app, conversation) || (known !== undefined && !isWanted(noticeOf(store, known)))
    )
  })

  /** @param before the notice that there was of it, if it has been changed */
  async function tell(message: Message, before?: Notice): Promise<void> {
    const { id: messageId, conversation } = message
    const claim = before ? `${messageId} edited` : String(messageId)
    if (!isWanted(without(noticeOf(store, message), before))) return
    if (!(await speaking.mayTell({ claim, messageId, conversation }))) return
    // It may have been read or deleted meanwhile, or notifications paused.
    const now = store.messages.peek(messageId)
    if (!now) return
    const { desktop, sound } = without(noticeOf(store, now), before)
    if (desktop && canNotify()) await show(app, now)
    if (sound) await play(store)
  }

  const noteFocus = () => speaking.noteFocus(document.hasFocus())
  noteFocus()
  const ended = new AbortController()
  for (const change of ['focus', 'blur', 'pageshow']) addEventListener(change, noteFocus, ended)
  addEventListener('pagehide', () => speaking.noteFocus(false), ended)

  const stop = store.onMessages((change) => {
    // Push notifications covered the messages that came while no page was open.
    if (!app.machine.isCaughtUp.peek()) return
    if (change.kind === 'new') void tell(change.message)
    else if (change.kind === 'changed' && change.before) {
      const { before } = change
      const after = store.messages.peek(before.id)
      // What was told already, as all of a direct conversation is, is not told twice.
      if (after && isAddressed(after) && !isAddressed(before)) {
        void tell(after, noticeOf(store, before))
      }
    }
  })
  return () => {
    stop()
    ended.abort()
    speaking.close()
  }
}

const isWanted = ({ desktop, sound }: Notice) => desktop || sound

const without = (notice: Notice, before: Notice = { desktop: false, sound: false }): Notice => ({
  desktop: notice.desktop && !before.desktop,
  sound: notice.sound && !before.sound,
})

/** Whether a message mentions the user, or has a word that they want to be alerted of. */
const isAddressed = ({ flags }: Message) => addressing.some((flag) => flags.has(flag))

const addressing: readonly MessageFlag[] = [
  'mentioned',
  'has_alert_word',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
]

function canNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}

/** Users who look at the end of a conversation, or of a feed with it, need no notice of what comes there. */
function isBeingRead({ router, pane, store }: App, conversation: Conversation): boolean {
  const isThere = document.hasFocus() && !document.hidden && !isIdle()
  const isCovered = router.overlay.peek() !== undefined || openDialogs.peek().length > 0
  const open = pane.peek()
  if (!isThere || isCovered || !open?.isAtEnd.peek()) return false
  const { narrow } = open.list
  const isHidden = narrow.kind === 'all' && isMuted(conversation, store)
  return !isHidden && showsConversation(narrow, conversation)
}

/** The code is loaded with the first click or key, before which browsers refuse. */
async function play({ settings }: Store): Promise<void> {
  // Older browsers do not tell, and complain in the console.
  if (navigator.userActivation?.hasBeenActive === false) return
  try {
    const { playSound } = await import('./sound.ts')
    playSound(settings.peek().notification_sound)
  } catch {
    // A notice without its sound is one still.
  }
}

async function show(app: App, message: Message): Promise<void> {
  const { store, router } = app
  const isDirect = message.conversation.kind === 'direct'
  const hidesText = isDirect && !store.settings.peek().pm_content_in_desktop_notifications
  const body = hidesText ? t('New direct message from {name}', { name: message.senderName }) : ''
  const options = {
    body: body || shortened(summaryOf(message), longest),
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
