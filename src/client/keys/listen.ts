import type { App } from '#client/app.ts'
import { type Context, commandOf } from '#client/commands/key-bindings.ts'
import { isOpening } from '#client/commands/surfaces.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { typeAhead } from '#client/ui/focus-once-drawn.ts'
import { closeLayers } from '#client/ui/layers.ts'
import { openDialogs } from '#client/ui/open-dialogs.ts'
import { type Commands, commandsOf, isWriting } from './commands.ts'

/** A key that was pressed longer ago, in milliseconds, is no longer expected to do anything. */
const patience = 3000

/**
 * Binds the keys. Returns a function that ends this.
 *
 * @param commands of the views that are shown; they come before those of the app
 * @param early keys that were pressed before this was loaded: the first, and what is typed into the
 *   field that it opens
 */
export function listenToKeys(
  app: App,
  commands: Commands,
  early: readonly KeyboardEvent[],
): () => void {
  const own = commandsOf(app)
  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || isFinishing(event)) return
    const target = event.target instanceof Element ? event.target : document.body
    const command = commandOf(event, contextsOf(target, app.pane.peek() !== undefined))
    const run = command && (commands[command] ?? own[command])
    // Last, because it searches the page, and most keys are typed text.
    if (!run || isElsewhere(target, event)) return
    event.preventDefault()
    // What a drawer covers takes no focus, so it closes before what is about the main pane.
    if (!command.startsWith('filter') && document.querySelector('main')?.inert) {
      closeLayers()
      if (command === 'escape') return
    }
    showSelection(true)
    run()
  }
  const onPointerDown = () => showSelection(false)
  document.addEventListener('keydown', onKeyDown)
  document.addEventListener('pointerdown', onPointerDown)
  const [first, ...rest] = early
  if (first && isStillWanted(first)) {
    onKeyDown(first)
    for (const event of rest) typeAhead(event)
  }
  return () => {
    document.removeEventListener('keydown', onKeyDown)
    document.removeEventListener('pointerdown', onPointerDown)
  }
}

/** Who points sees what is pointed at; the selected message is only for the keys. */
function showSelection(shows: boolean): void {
  document.documentElement.toggleAttribute('data-keys', shows)
}

/** Whether a key can be made up for: the browser has done nothing with it, and the focus is there. */
function isStillWanted(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event
  return (
    /^\S$/u.test(key) &&
    !(ctrlKey || metaKey || altKey) &&
    target === document.activeElement &&
    performance.now() - timeStamp < patience
  )
}

function contextsOf(target: Element, hasMessages: boolean): readonly Context[] {
  if (isWriting(target)) return ['anywhere']
  return hasMessages ? ['messages', 'view', 'anywhere'] : ['list', 'view', 'anywhere']
}

const widgets =
  '[role="menu"], [role="listbox"], [role="tablist"], [role="radiogroup"], audio, video'

/** Whether the key belongs to the focused element: a dialog, a menu, a button. */
function isElsewhere(target: Element, event: KeyboardEvent): boolean {
  if (openDialogs.peek().length > 0 || isOpening()) return true
  if (document.querySelector('[popover]:popover-open')) return true
  if (target.closest(widgets)) return true
  const isPress = event.key === 'Enter' || event.key === ' '
  return isPress && target.closest('button, a[href], summary, label') !== null
}
