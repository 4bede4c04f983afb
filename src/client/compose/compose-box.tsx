import { useComputed } from '@preact/signals'
import { effect, untracked } from '@preact/signals-core'
import { ChevronDown, MessageCircle, SendHorizontal, SquarePen } from 'lucide'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { editLast } from '#client/commands/editing.ts'
import { commandOf } from '#client/commands/key-bindings.ts'
import { openMenu } from '#client/commands/open-menu.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { withLoaded } from '#client/commands/with-loaded.ts'
import type { View } from '#client/narrow/narrow.ts'
import { type ComposeTarget, conversationOf } from '#client/state/compose-target.ts'
import { peopleNames, topicName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { pointing } from '#client/ui/icon.tsx'
import { lazy } from '#client/ui/lazy.tsx'
import { phoneQuery } from '#client/ui/phone.ts'
import { t } from '#client/ui/t.ts'
import { takeDroppedFiles } from './dropped-files.ts'
import { editing } from './editing.ts'
import type { Editor } from './editor.ts'
import { areFormatsShown } from './editor-tools.tsx'
import { focusTargetField } from './focus.ts'
import { MessageEditor } from './message-editor.tsx'
import {
  cleaned,
  missingField,
  obstacle,
  sendComposed,
  shows,
  standingProblem,
  targetOfView,
  wideMentionIn,
} from './send.ts'
import { countSend } from './send-counts.ts'
import { createTypingSender, typingIn } from './typing-sender.ts'

const sendIcon = pointing(SendHorizontal)

/** The compose box. It follows the view: in a conversation it is ready for an answer there. */
export function ComposeBox() {
  const app = useApp()
  const { compose, router } = app
  // Together with the view: a frame with the target of the last one would move the messages twice.
  useEffect(() => effect(() => followView(app, router.view.value)), [app, router])
  useEffect(() => takeDroppedFiles(app), [app])
  const isOpen = useComputed(() => compose.state.value.isOpen)
  const kit = editing.value
  return (
    <>
      {isOpen.value ? <OpenBox /> : <ClosedBox />}
      {kit && <kit.DropCover />}
    </>
  )
}

const heights = new ResizeObserver(([entry]) => {
  const height = entry ? (entry.target as HTMLElement).offsetHeight : 0
  document.documentElement.style.setProperty('--compose-height', `${height}px`)
})

/** Tells the styles how high the box is: what is shown for a moment stands above it. */
function measure(box: HTMLElement | null): void {
  // What is gone from the page is observed as well, with no height.
  if (!box) return
  heights.disconnect()
  heights.observe(box)
}

/** Those whose box has been drawn. */
const isFollowing = new WeakSet<App>()

/** Makes the target that of the view, if it has one. */
function followView(app: App, view: View): void {
  const { compose } = app
  const isFirst = !isFollowing.has(app)
  isFollowing.add(app)
  untracked(() => {
    // What a key has begun while this was being loaded is not given up for the view.
    if (isFirst && compose.state.peek().isOpen) return
    const target = targetOfView(view)
    if (target) compose.open(target, { focus: false })
    // Where there is little room, what was begun elsewhere waits among the drafts.
    else if (compose.state.peek().text === '' || matchMedia(phoneQuery).matches) compose.close()
  })
}

/** What begins a conversation, over the list: shown where the bar at the side is not. */
function ClosedBox() {
  const app = useApp()
  const { compose, router } = app
  const isDirect = router.view.value.kind === 'direct'
  const beginDirect = () => compose.open({ kind: 'direct', userIds: [] })
  const starts = [
    {
      label: t('New conversation'),
      icon: SquarePen,
      onSelect: () => compose.open({ kind: 'topic', channelId: undefined, topic: '' }),
    },
    {
      label: t('New direct message'),
      icon: MessageCircle,
      onSelect: beginDirect,
    },
  ]
  return (
    <div ref={measure} class="stack compose compose-closed">
      <IconButton
        class="compose-round"
        label={isDirect ? t('New direct message') : t('New message')}
        icon={SquarePen}
        size={22}
        aria-haspopup={isDirect ? undefined : 'menu'}
        onClick={({ currentTarget }) => {
          if (isDirect) beginDirect()
          else openMenu(app, t('New message'), currentTarget, 'top-end', starts)
        }}
      />
    </div>
  )
}

/** Draws a box that shows more than a place to write in once it can. */
const WholeBox = lazy(async () => {
  await editing.load()
  return Box
})

function OpenBox() {
  const app = useApp()
  const [isBare] = useState(() => isBareBox(app))
  return isBare ? <Box /> : <WholeBox />
}

/** Whether the box shows nothing but a place to write in, as where nobody writes yet. */
function isBareBox(app: App): boolean {
  const { compose, store } = app
  const { target, text } = compose.state.peek()
  if (text !== '' || areFormatsShown.peek() || !isFixed(app, target)) return false
  const isOutside =
    target.kind === 'topic' && !store.subscriptions.get(target.channelId ?? Number.NaN)
  return !isOutside && standingProblem(store, target) === undefined
}

function Box() {
  const app = useApp()
  const kit = editing.value
  const { compose, store, uploads } = app
  const { target, text } = compose.state.value
  const editor = useRef<Editor | undefined>(undefined)
  const [isPreview, setPreview] = useState(false)
  const sending = useSending(app, () => {
    setPreview(false)
    editor.current?.focus()
  })
  const isHome = isFixed(app, target)
  const problem = obstacle(store, target, text)
  const isUploading = uploads.within(text).length > 0

  useEffect(() => {
    const current = editor.current
    return current && compose.attach(current)
  }, [compose])
  useEffect(() => setPreview(false), [target])
  // A box that was drawn bare may be asked for more than it could load.
  useEffect(() => {
    if (!isHome) void withLoaded(app, editing, () => undefined)
  }, [app, isHome, target])
  const end = useSendButtons(problem, isUploading, sending.send)
  const others = useCallback((button: Element) => editing.peek()?.addable(app, button) ?? [], [app])

  function onEscape(): void {
    // Keys are commands again.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    if (!isHome) leaveTarget(app)
  }

  return (
    <section
      ref={measure}
      class="stack compose"
      aria-label={t('Compose')}
      onKeyDown={(event) => onComposeKey(event, app, onEscape)}
    >
      {kit && text !== '' && <kit.UnkeptNote />}
      {kit && <kit.SendKeyHint />}
      {kit && (
        <kit.ComposeWarnings
          target={target}
          text={text}
          asksWide={sending.asksWide}
          onWideYes={sending.confirm}
          onWideNo={sending.cancel}
        />
      )}
      {kit && !isHome && (
        <kit.TargetFields
          target={target}
          onDone={() => editor.current?.focus()}
          onLeave={() => leaveTarget(app)}
        />
      )}
      <MessageEditor
        label={t('Message')}
        placeholder={placeholderOf(app, target)}
        text={text}
        onText={sending.type}
        place={target}
        leavesDrops
        isPreview={isPreview}
        onPreview={setPreview}
        onSend={sending.send}
        onEscape={onEscape}
        onEditLast={() => editLast(app)}
        editorRef={editor}
        others={others}
        end={end}
      />
    </section>
  )
}

/** Sends what is written, after asking about a mention of many. */
function useSending(app: App, onSent: () => void) {
  const { compose, store } = app
  const [confirmed, setConfirmed] = useState('')
  const [asksWide, setAsksWide] = useState(false)
  const typing = useMemo(() => createTypingSender(app), [app])
  useEffect(() => () => typing.stop(), [typing])

  function send(): void {
    const { target: to, text: written } = compose.state.peek()
    if (refuseSend(app)) return
    const wide = wideMentionIn(store, to, written)
    if (wide && (!wide.isAllowed || confirmed !== written)) {
      setAsksWide(true)
      return
    }
    setAsksWide(false)
    typing.stop()
    sendComposed(app)
    countSend()
    onSent()
  }

  function type(next: string): void {
    compose.setText(next)
    setAsksWide(false)
    const conversation = conversationOf(cleaned(compose.state.peek().target))
    if (next.trim() === '') typing.stop()
    else if (conversation) typing.typed(typingIn(conversation))
  }

  /** Sends it although it mentions many. */
  function confirm(): void {
    setConfirmed(compose.state.peek().text)
    setAsksWide(false)
    typing.stop()
    sendComposed(app)
  }

  const cancel = () => setAsksWide(false)
  return { asksWide, send, type, confirm, cancel }
}

/** Says why what is written cannot be sent. @returns whether that is so */
function refuseSend(app: App): boolean {
  const { compose, store, uploads } = app
  const { target: to, text: written } = compose.state.peek()
  const pending = uploads.within(written)
  const reason = pending.some(({ problem }) => problem.value !== undefined)
    ? t('A file was not sent. Try again, or remove it.')
    : pending.length > 0
      ? t('Files are still uploading.')
      : undefined
  const found = reason ?? obstacle(store, to, written)
  if (found) {
    if (written.trim() === '') return true
    app.notify(found, 'error')
    const field = missingField(store, to)
    if (field) focusTargetField(field)
    return true
  }
  return false
}

/** Closes the fields of the target, and goes back to the one of the view. */
function leaveTarget(app: App): void {
  const { compose } = app
  const home = targetOfView(app.router.view.peek())
  compose.close()
  if (home) compose.open(home, { focus: false })
}

/** The buttons that send the message, now or later. */
function useSendButtons(problem: string | undefined, isUploading: boolean, send: () => void) {
  const app = useApp()
  const latestSend = useRef(send)
  latestSend.current = send
  const canSend = problem === undefined && !isUploading
  // What is the same vnode is not drawn again with every key.
  return useMemo(
    () => (
      <span class="compose-send">
        <IconButton
          label={t('Send')}
          hint={problem ?? t('Send')}
          icon={sendIcon}
          disabled={!canSend}
          onClick={() => latestSend.current()}
        />
        <IconButton
          label={t('Send later')}
          icon={ChevronDown}
          size={14}
          disabled={!canSend}
          onClick={() => openSendLater(app)}
        />
      </span>
    ),
    [app, problem, canSend],
  )
}

/** Whether the target is that of the view, so that its fields say nothing new. */
function isFixed(app: App, target: ComposeTarget): boolean {
  const conversation = conversationOf(target)
  return conversation !== undefined && shows(app.router.view.value, conversation)
}

function placeholderOf(app: App, target: ComposeTarget): string {
  const { store } = app
  if (target.kind === 'direct') {
    if (target.userIds.length === 0) return t('Write a message')
    if (target.userIds.length === 1 && target.userIds[0] === store.selfId) {
      return t('Write to yourself')
    }
    return t('Message {people}', { people: peopleNames(target.userIds, store) })
  }
  const channel = target.channelId === undefined ? undefined : store.channels.get(target.channelId)
  if (!channel) return t('Write a message')
  return t('Message #{channel} › {topic}', {
    channel: channel.name,
    topic: topicName(target.topic, store),
  })
}

/** Keys of the box as a whole, in its fields and on its buttons as well. */
function onComposeKey(event: KeyboardEvent, app: App, onEscape: () => void): void {
  const command = commandOf(event, ['compose', 'anywhere'])
  if (command === 'escape') {
    event.preventDefault()
    onEscape()
  } else if (command === 'go-to-target') {
    const conversation = conversationOf(cleaned(app.compose.state.peek().target))
    if (!conversation) return
    event.preventDefault()
    app.router.go({ kind: 'messages', narrow: conversation })
  } else if (command === 'snippet') {
    event.preventDefault()
    void withLoaded(app, editing, ({ openSnippets }) => openSnippets(app))
  }
}

function openSendLater(app: App): void {
  const load = async () => (await import('./send-later-dialog.tsx')).SendLaterDialog
  void openLazy(app, load, { app })
}
