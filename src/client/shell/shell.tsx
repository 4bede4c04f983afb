import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { openStatusDialog } from '#client/actions/status.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { Surfaces } from '#client/commands/surfaces.tsx'
import type { Commands } from '#client/keys/commands.ts'
import type { View } from '#client/narrow/narrow.ts'
import { narrowKey } from '#client/narrow/terms.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { focusOnceDrawn } from '#client/ui/focus-once-drawn.ts'
import { startLoaded } from '#client/ui/start-loaded.ts'
import { t } from '#client/ui/t.ts'
import { ToastArea, type Toasts, ToastsContext } from '#client/ui/toast.tsx'
import { InboxView } from '#client/views/inbox.tsx'
import { moveInList } from '#client/views/list-focus.ts'
import { MessagePane } from '#client/views/message-pane.tsx'
import { type PaneName, ViewHead } from '#client/views/view-head.tsx'
import { useFirstMessages } from './first-messages.ts'
import { KeyBindings } from './key-bindings.tsx'
import { Overlays } from './overlays.tsx'
import {
  Announcer,
  BottomBar,
  ComposeBox,
  ConnectionBar,
  DirectsView,
  DraftsView,
  GoneView,
  LeftSideBar,
  Offers,
  RecentView,
  RemindersView,
  RightSideBar,
  ScheduledView,
  TopicListView,
} from './parts.ts'
import { Sheets } from './sheets.tsx'
import { useTakeOver } from './take-over.ts'
import { TopBar } from './top-bar.tsx'

/** The whole screen, once the client is registered. */
export function Shell({ toasts }: { readonly toasts: Toasts }) {
  const app = useApp()
  const view = app.router.view.value
  const shown = useSignal<PaneName>('main')
  const shell = useRef<HTMLDivElement>(null)
  const areMessagesShown = useFirstMessages()
  useTakeOver(areMessagesShown)
  // Going somewhere shows the main pane on a phone, even if it is the current view.
  useEffect(() => {
    shown.value = 'main'
    const onClick = ({ target }: MouseEvent) => {
      const isLink = target instanceof Element && target.closest('a[href^="#"]') !== null
      if (isLink) shown.value = 'main'
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [view])

  useEffect(() => {
    const drawn = shell.current
    if (!drawn) return
    return startLoaded(async () => {
      const { followPanes } = await import('./panes.ts')
      return () => followPanes(drawn, shown)
    })
  }, [shown])
  const commands = useShellCommands(app, shown)
  const isGone = leadsNowhere(app, view)
  return (
    <div
      ref={shell}
      class="shell"
      data-pane={shown.value}
      data-search={view.kind === 'messages' && view.narrow.kind === 'search'}
    >
      <button
        type="button"
        class="skip-link"
        onClick={() => {
          shown.value = 'main'
          document.querySelector<HTMLElement>('main')?.focus()
        }}
      >
        {t('Skip to the messages')}
      </button>
      <TopBar pane={shown} />
      <ConnectionBar />
      <nav class="left" aria-label={t('Views and channels')}>
        <ErrorBoundary>{areMessagesShown.value && <LeftSideBar />}</ErrorBoundary>
      </nav>
      <main class="main" tabIndex={-1}>
        <ViewHead view={view} pane={shown} />
        <ErrorBoundary key={viewKey(view)}>
          {isGone ? <GoneView /> : <MainView key={viewKey(view)} view={view} />}
        </ErrorBoundary>
        <ErrorBoundary>{!isGone && <ComposeBox />}</ErrorBoundary>
      </main>
      <aside class="right" aria-label={t('People')}>
        <ErrorBoundary>{areMessagesShown.value && <RightSideBar />}</ErrorBoundary>
      </aside>
      <BottomBar view={view} pane={shown} />
      <ToastsContext value={toasts}>
        <ToastArea />
        <Overlays />
        <Surfaces />
        <Offers />
        <Sheets />
      </ToastsContext>
      <Announcer />
      <KeyBindings commands={commands} />
    </div>
  )
}

/** The commands that change what the screen shows. */
function useShellCommands(app: App, shown: Signal<PaneName>): Commands {
  return useMemo((): Commands => {
    const focusIn = (pane: PaneName, selector: string) => () => {
      shown.value = pane
      focusOnceDrawn(selector)
    }
    return {
      'filter-channels': focusIn('left', '.left input[type="search"]'),
      'filter-people': focusIn('right', '.right input[type="search"]'),
      'open-menu': () => document.querySelector<HTMLElement>('.self-button')?.click(),
      'set-status': () => openStatusDialog(app),
      'next-row': () => moveInList('down'),
      'previous-row': () => moveInList('up'),
      'row-left': () => moveInList('left'),
      'row-right': () => moveInList('right'),
    }
  }, [app])
}

/** Whether the address names a channel that does not exist for the user. */
function leadsNowhere({ store }: App, view: View): boolean {
  if (view.kind === 'topics') return !store.channels.get(view.channelId)
  if (view.kind !== 'messages') return false
  const { narrow } = view
  const isOfChannel = narrow.kind === 'channel' || narrow.kind === 'topic'
  return isOfChannel && !store.channels.get(narrow.channelId)
}

function MainView({ view }: { readonly view: View }) {
  switch (view.kind) {
    case 'inbox':
      return <InboxView />
    case 'recent':
      return <RecentView />
    case 'direct':
      return <DirectsView />
    case 'messages':
      return <MessagePane narrow={view.narrow} near={view.near} />
    case 'topics':
      return <TopicListView channelId={view.channelId} />
    case 'drafts':
      return <DraftsView />
    case 'scheduled':
      return <ScheduledView />
    case 'reminders':
      return <RemindersView />
  }
}

function viewKey(view: View): string {
  switch (view.kind) {
    case 'messages':
      return `${narrowKey(view.narrow)} ${view.near ?? ''}`
    case 'topics':
      return `topics ${view.channelId}`
    default:
      return view.kind
  }
}
