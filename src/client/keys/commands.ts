import { anchorOf, messageCommands } from '#client/actions/message-commands.ts'
import { openMessageMenu } from '#client/actions/message-menu.tsx'
import { readToEnd } from '#client/actions/read-to-end.ts'
import type { App } from '#client/app.ts'
import { askSearch } from '#client/commands/ask-search.ts'
import { editLast } from '#client/commands/editing.ts'
import type { Command } from '#client/commands/key-bindings.ts'
import { subscribe, unsubscribe } from '#client/commands/subscriptions.ts'
import { setTopicPolicy } from '#client/commands/topic-actions.ts'
import { focusTargetField } from '#client/compose/focus.ts'
import { neighbourChannel, nextUnread } from '#client/lists/unread-order.ts'
import type { Narrow, View } from '#client/narrow/narrow.ts'
import { openSwitcher } from '#client/search/open-switcher.ts'
import { conversationKey, type Message } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { isWriting } from './writing.ts'

/** The commands. The compose box and lists have their own. */
export type Commands = Partial<Record<Command, () => void>>

/** The commands that need nothing but the app. */
export function commandsOf(app: App): Commands {
  return { ...viewCommands(app), ...selectionCommands(app), ...conversationCommands(app) }
}

/**
 * If nothing is selected yet: the newest message if it is in sight, or else the one being read.
 */
function selectedMessage(app: App): Message | undefined {
  const pane = app.pane.peek()
  if (!pane) return undefined
  const { ids, readingId } = pane.list
  app.selectedId.value ??= pane.isAtEnd.peek() ? ids.peek().at(-1) : readingId
  const id = app.selectedId.peek()
  return id === undefined ? undefined : app.store.messages.peek(id)
}

/** A command about the selected message; does nothing if there is none. */
const about = (app: App, run: (message: Message) => unknown) => () => {
  const message = selectedMessage(app)
  if (message) run(message)
}

/** Commands that go somewhere. */
function viewCommands(app: App): Commands {
  const { router, store } = app
  const go = (view: View) => () => router.go(view)
  const goNarrow = (narrow: Narrow) => go({ kind: 'messages', narrow })

  const unread = (kind: 'topic' | 'followed' | 'direct') => () => {
    const next = nextUnread(store, router.view.peek(), kind)
    if (next) router.go({ kind: 'messages', narrow: next })
    else app.notify(t('No unread messages there.'))
  }

  const channel = (step: 1 | -1) => () => {
    const channelId = neighbourChannel(store, router.view.peek(), step)
    if (channelId !== undefined) {
      router.go({ kind: 'messages', narrow: { kind: 'channel', channelId } })
    }
  }

  return {
    'show-keys': () => router.go({ kind: 'keyboard-shortcuts' }),
    search: () => askSearch(),
    switch: () => openSwitcher(app),
    escape: () => leave(app),

    'next-unread-topic': unread('topic'),
    'next-unread-followed': unread('followed'),
    'next-unread-direct': unread('direct'),
    'go-direct': goNarrow({ kind: 'all-direct' }),
    'go-inbox': go({ kind: 'inbox' }),
    'go-recent': go({ kind: 'recent' }),
    'go-feed': goNarrow({ kind: 'all' }),
    'go-starred': goNarrow({ kind: 'starred' }),
    'go-drafts': go({ kind: 'drafts' }),
    'previous-channel': channel(-1),
    'next-channel': channel(1),
    'go-wider': () => goWider(app, selectedMessage(app)),
    'go-topics': () => {
      const channelId = channelOf(router.view.peek(), selectedMessage(app))
      if (channelId !== undefined) router.go({ kind: 'topics', channelId })
    },
    'go-near': about(app, ({ conversation, id }) =>
      router.go({ kind: 'messages', narrow: conversation, near: id }),
    ),

    'next-message': () => app.pane.peek()?.moveSelection(1),
    'previous-message': () => app.pane.peek()?.moveSelection(-1),
    'page-up': () => app.pane.peek()?.page('up'),
    'page-down': () => app.pane.peek()?.page('down'),
    'first-message': () => app.pane.peek()?.jump('oldest'),
    'last-message': () => void readToEnd(app),
  }
}

/** Those about the selected message. */
function selectionCommands(app: App): Commands {
  const own = Object.entries(messageCommands).map(([name, { isAllowed, otherwise, run }]) => {
    const press = about(app, (message) => {
      if (isAllowed?.(app, message) ?? true) return run(app, message, anchorOf(message))
      return otherwise?.(app, message)
    })
    return [name, press]
  })
  return {
    ...Object.fromEntries(own),
    'message-menu': about(app, (message) => openMessageMenu(app, message.id, anchorOf(message))),
    'show-picture': about(app, ({ id }) => {
      const picture = `[data-message-id="${id}"] .message_inline_image a`
      document.querySelector<HTMLElement>(picture)?.click()
    }),
    'show-sender': about(app, ({ senderId }) => app.router.go({ kind: 'user', userId: senderId })),
  }
}

/** Commands about the conversation of the view or of the selected message. */
function conversationCommands(app: App): Commands {
  const { router, store, compose } = app
  return {
    'mute-topic': () => {
      const place = conversationOf(router.view.peek(), selectedMessage(app))
      if (place?.kind !== 'topic') return
      const isMuted = store.topicPolicies.peek(conversationKey(place))?.policy === 1
      void setTopicPolicy(app, place.channelId, place.topic, isMuted ? 0 : 1)
      if (isMuted) app.notify(t('The topic is no longer muted.'))
    },
    subscribe: () => {
      const channelId = channelOf(router.view.peek(), selectedMessage(app))
      if (channelId === undefined) return
      const isIn = store.subscriptions.current.has(channelId)
      void (isIn ? unsubscribe(app, channelId) : subscribe(app, channelId))
    },

    'compose-topic': () => {
      const channelId = channelOf(router.view.peek(), selectedMessage(app))
      compose.open({ kind: 'topic', channelId, topic: '' }, { focus: false })
      focusTargetField(channelId === undefined ? 'channel-field' : 'topic-field')
    },
    'compose-direct': () => {
      compose.open({ kind: 'direct', userIds: [] }, { focus: false })
      focusTargetField('people-field')
    },
    'edit-last': () => editLast(app),
  }
}

function leave(app: App): void {
  const focused = document.activeElement
  if (app.router.overlay.peek()) app.router.closeOverlay()
  else if (focused instanceof HTMLElement && isWriting(focused)) focused.blur()
  else if (app.store.settings.peek().web_escape_navigates_to_home_view) {
    app.router.go(homeView(app))
  }
}

function homeView(app: App): View {
  switch (app.store.settings.peek().web_home_view) {
    case 'recent_topics':
      return { kind: 'recent' }
    case 'all_messages':
      return { kind: 'messages', narrow: { kind: 'all' } }
    default:
      return { kind: 'inbox' }
  }
}

function goWider(app: App, message: Message | undefined): void {
  const view = app.router.view.peek()
  if (view.kind !== 'messages') return
  const { narrow } = view
  if (narrow.kind === 'topic') {
    const wider = { kind: 'channel', channelId: narrow.channelId } as const
    app.router.go({ kind: 'messages', narrow: wider })
  } else if (message) app.router.go({ kind: 'messages', narrow: message.conversation })
}

function conversationOf(view: View, message: Message | undefined) {
  if (message) return message.conversation
  if (view.kind !== 'messages') return undefined
  const { narrow } = view
  return narrow.kind === 'topic' || narrow.kind === 'direct' ? narrow : undefined
}

function channelOf(view: View, message: Message | undefined): number | undefined {
  if (view.kind === 'topics') return view.channelId
  if (view.kind === 'messages' && 'channelId' in view.narrow) return view.narrow.channelId
  const place = conversationOf(view, message)
  return place?.kind === 'topic' ? place.channelId : undefined
}
