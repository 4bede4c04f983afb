import { Clock, ImagePlay, ListChecks, ListTodo, StickyNote } from 'lucide'
import type { App } from '#client/app.ts'
import { callServer } from '#client/calls/calls.ts'
import { callChoices, insertCall } from '#client/calls/start-call.ts'
import { keyHint } from '#client/commands/key-bindings.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'

/**
 * What the compose box can add to its message besides files, for a menu.
 *
 * @param anchor where a picker stands that one of them opens
 */
export function addable(app: App, anchor: Element): readonly MenuItem[] {
  // A poll and a list begin their message, and would replace what is there.
  const isWritten = app.compose.state.peek().text.trim() !== ''
  const disabled = isWritten ? t('Send or clear your message first.') : undefined
  const calls = callServer(app.store.realm.peek()) === undefined ? [] : callChoices(app)
  return [
    ...(hasGifs(app)
      ? [{ label: t('GIFs'), icon: ImagePlay, onSelect: () => openGifs(app, anchor) }]
      : []),
    ...calls.map(({ kind, label, icon }) => ({
      label,
      icon,
      onSelect: () => void insertCall(app, kind),
    })),
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
      keyHint: keyHint('snippet'),
      onSelect: () => openSnippets(app),
    },
  ]
}

/** Whether the server finds GIFs, and the organization allows any. */
function hasGifs({ store }: App): boolean {
  const { server_gif_provider, realm_giphy_rating } = store.realm.peek()
  return server_gif_provider != null && realm_giphy_rating !== 0
}

function openGifs(app: App, anchor: Element): void {
  const load = async () => (await import('./gif-picker.tsx')).GifPicker
  void openLazy(app, load, { app, anchor: anchor.getBoundingClientRect() })
}

/** Opens the texts that were saved to be used again. */
export function openSnippets(app: App): void {
  const load = async () => (await import('./snippets-dialog.tsx')).SnippetsDialog
  void openLazy(app, load, { app })
}
