import { useComputed } from '@preact/signals'
import { effect, untracked } from '@preact/signals-core'
import {
  CalendarClock,
  Clock,
  ImagePlay,
  ListChecks,
  ListTodo,
  MessageCircle,
  MoreHorizontal,
  SendHorizontal,
  SquarePen,
  StickyNote,
  X,
} from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { ComposeCallButtons } from '#client/calls/call-buttons.tsx'
import { editLast } from '#client/commands/editing.ts'
import { commandOf } from '#client/commands/key-bindings.ts'
import { openLazy, openSurface } from '#client/commands/surfaces.tsx'
import type { View } from '#client/narrow/narrow.ts'
import { type ComposeTarget, conversationOf, isSameTarget } from '#client/state/compose-target.ts'
import { peopleNames, topicName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { pointing } from '#client/ui/icon.tsx'
import { Menu, type MenuItem } from '#client/ui/menu.tsx'
import { phoneQuery } from '#client/ui/phone.ts'
import { t } from '#client/ui/t.ts'
import { ComposeWarnings } from './compose-warnings.tsx'
import { DropCover } from './drop-cover.tsx'
import { takeDroppedFiles } from './dropped-files.ts'
import type { Editor } from './editor.ts'
import { focusTargetField } from './focus.ts'
import { MessageEditor } from './message-editor.tsx'
import {
  cleaned,
  missingField,
  obstacle,
  sendComposed,
  shows,
  targetOfView,
  wideMentionIn,
} from './send.ts'
import { countSend, SendKeyHint } from './send-key-hint.tsx'
import { DirectFields, TopicFields } from './target-fields.tsx'
import { createTypingSender, typingIn } from './typing-sender.ts'
import { UnkeptNote } from './unkept-note.tsx'

const sendIcon = pointing(SendHorizontal)

/** The compose box. It follows the view: in a conversation it is ready for an answer there. */
export function ComposeBox() {
  const app = useApp()
  const { compose, router } = app
  // Together with the view: a frame with the target of the last one would move the messages twice.
  useEffect(() => effect(() => followView(app, router.view.value)), [app, router])
  useEffect(() => takeDroppedFiles(app), [app])
  const isOpen = useComputed(() => compose.state.value.isOpen)
  return (
    <>
      {isOpen.value ? <OpenBox /> : <ClosedBox />}
      <DropCover />
    </>
  )
}

/** Makes the target that of the view, if it has one. */
function followView({ compose, notify }: App, view: View): void {
  untracked(() => {
    const target = targetOfView(view)
    const { isOpen, target: before, text } = compose.state.peek()
    if (!target) {
      if (text === '') compose.close()
      return
    }
    const leaves = isOpen && text !== '' && !isSameTarget(before, target)
    compose.open(target, { focus: false })
    if (leaves) notify(t('What you wrote is saved as a draft.'))
  })
}

function ClosedBox() {
  const { compose } = useApp()
  return (
    <div class="compose compose-closed">
      <Button
        icon={SquarePen}
        onClick={() => compose.open({ kind: 'topic', channelId: undefined, topic: '' })}
      >
        {t('New conversation')}
      </Button>
      <Button icon={MessageCircle} onClick={() => compose.open({ kind: 'direct', userIds: [] })}>
        {t('New direct message')}
      </Button>
    </div>
  )
}

function OpenBox() {
  const app = useApp()
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
  const end = useSendButtons(problem, isUploading, isHome, sending.send)

  function onEscape(): void {
    // Keys are commands again.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    if (!isHome) leaveTarget(app)
  }

  return (
    <section
      class="compose"
      aria-label={t('Compose')}
      onKeyDown={(event) => onComposeKey(event, app, onEscape)}
    >
      {text !== '' && <UnkeptNote />}
      <ComposeWarnings
        target={target}
        text={text}
        asksWide={sending.asksWide}
        onWideYes={sending.confirm}
        onWideNo={sending.cancel}
      />
      {!isHome && (
        <TargetFields
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
        tools={<ComposeTools isPreview={isPreview} />}
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
  const { text: written } = compose.state.peek()
  const home = targetOfView(app.router.view.peek())
  compose.close()
  if (written.trim() !== '') app.notify(t('What you wrote is saved as a draft.'))
  if (home) compose.open(home, { focus: false })
}

/** The buttons that send the message, now or later. */
function useSendButtons(
  problem: string | undefined,
  isUploading: boolean,
  isHome: boolean,
  send: () => void,
) {
  const app = useApp()
  const { compose } = app
  const { target } = compose.state.value
  const latestSend = useRef(send)
  latestSend.current = send
  const canSend = problem === undefined && !isUploading
  // What is the same vnode is not drawn again with every key.
  return useMemo(
    () => (
      <>
        <SendKeyHint />
        {isHome && (
          <Button
            kind="quiet"
            icon={SquarePen}
            class="compose-new"
            onClick={() => {
              compose.open(newTarget(target), { focus: false })
              focusTargetField(target.kind === 'topic' ? 'topic-field' : 'channel-field')
            }}
          >
            <span>{t('New conversation')}</span>
          </Button>
        )}
        <IconButton
          label={t('Send later')}
          icon={CalendarClock}
          disabled={!canSend}
          onClick={() => openSendLater(app)}
        />
        <IconButton
          class="compose-send"
          label={t('Send')}
          hint={problem ?? t('Send')}
          icon={sendIcon}
          disabled={!canSend}
          onClick={() => latestSend.current()}
        />
      </>
    ),
    [app, compose, target, isHome, problem, canSend],
  )
}

interface TargetFieldsProps {
  readonly target: ComposeTarget
  readonly onDone: () => void
  readonly onLeave: () => void
}

function TargetFields({ target, onDone, onLeave }: TargetFieldsProps) {
  const { compose } = useApp()
  return (
    <div class="compose-target">
      {target.kind === 'topic' ? (
        <TopicFields target={target} onChange={compose.setTarget} onDone={onDone} />
      ) : (
        <DirectFields target={target} onChange={compose.setTarget} onDone={onDone} />
      )}
      {/* Tab leads from the last field to the message; Escape closes as well. */}
      <IconButton label={t('Close')} icon={X} tabIndex={-1} onClick={onLeave} />
    </div>
  )
}

/** Buttons for what is made elsewhere. They read signals, so a key does not draw them again. */
function ComposeTools({ isPreview }: { readonly isPreview: boolean }) {
  const app = useApp()
  return (
    <>
      {hasGifs(app) && !isPhone() && (
        <IconButton
          label={t('GIFs')}
          icon={ImagePlay}
          disabled={isPreview}
          onClick={(event) => openGifs(app, event.currentTarget)}
        />
      )}
      <ComposeCallButtons disabled={isPreview} />
      <IconButton
        label={t('More')}
        icon={MoreHorizontal}
        aria-haspopup="menu"
        onClick={(event) => openMakers(app, event.currentTarget)}
      />
    </>
  )
}

/** Whether the target is that of the view, so that its fields say nothing new. */
function isFixed(app: App, target: ComposeTarget): boolean {
  const conversation = conversationOf(target)
  return conversation !== undefined && shows(app.router.view.value, conversation)
}

/** A new conversation begins in the current channel. */
function newTarget(target: ComposeTarget): ComposeTarget {
  return target.kind === 'topic'
    ? { ...target, topic: '' }
    : { kind: 'topic', channelId: undefined, topic: '' }
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
    openSnippets(app)
  }
}

function openMakers(app: App, anchor: Element): void {
  // A poll and a list begin their message, and would replace what is there.
  const isWritten = app.compose.state.peek().text.trim() !== ''
  const disabled = isWritten ? t('Send or clear your message first.') : undefined
  const gifs = { label: t('GIFs'), icon: ImagePlay, onSelect: () => openGifs(app, anchor) }
  const items: MenuItem[] = [
    ...(hasGifs(app) && isPhone() ? [gifs] : []),
    {
      label: t('Poll'),
      icon: ListChecks,
      disabled,
      onSelect: () =>
        void openLazy(app, async () => (await import('./widget-dialogs.tsx')).PollDialog, { app }),
    },
    {
      label: t('To-do list'),
      icon: ListTodo,
      disabled,
      onSelect: () =>
        void openLazy(app, async () => (await import('./widget-dialogs.tsx')).TodoDialog, { app }),
    },
    {
      label: t('Time'),
      icon: Clock,
      onSelect: () =>
        void openLazy(app, async () => (await import('./time-dialog.tsx')).TimeDialog, {
          onPick: (time) => app.compose.insert(time),
        }),
    },
    {
      label: t('Saved snippets'),
      icon: StickyNote,
      keyHint: "Ctrl '",
      onSelect: () => openSnippets(app),
    },
  ]
  openSurface((close) => (
    <Menu label={t('More')} anchor={anchor} placement="top-start" items={items} onClose={close} />
  ))
}

/** If the bar has no room for another button. */
const isPhone = () => matchMedia(phoneQuery).matches

/** Whether the server finds GIFs, and the organization allows any. */
function hasGifs({ store }: App): boolean {
  const { server_gif_provider, realm_giphy_rating } = store.realm.value
  return server_gif_provider != null && realm_giphy_rating !== 0
}

function openGifs(app: App, anchor: Element): void {
  const load = async () => (await import('./gif-picker.tsx')).GifPicker
  void openLazy(app, load, { app, anchor: anchor.getBoundingClientRect() })
}

function openSnippets(app: App): void {
  const load = async () => (await import('./snippets-dialog.tsx')).SnippetsDialog
  void openLazy(app, load, { app })
}

function openSendLater(app: App): void {
  const load = async () => (await import('./send-later-dialog.tsx')).SendLaterDialog
  void openLazy(app, load, { app })
}
