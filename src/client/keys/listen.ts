import type { App } from '#client/app.ts'
import { type Context, commandOf } from '#client/commands/key-bindings.ts'
import { isOpening } from '#client/commands/surfaces.tsx'
import { tellNotLoaded } from '#client/commands/with-loaded.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { lostKeys, typeAhead } from '#client/ui/focus-once-drawn.ts'
import { closeLayers } from '#client/ui/layers.ts'
import { openDialogs } from '#client/ui/open-dialogs.ts'
import type { Commands } from './commands.ts'
import { ownCommands } from './own-commands.ts'
import { isWriting } from './writing.ts'

/** A key that was pressed longer ago, in milliseconds, is no longer expected to do anything. */
const patience = 3000

/** Does what keys say. */
export interface Keys {
  take(event: KeyboardEvent): void
  /** Does what a key says that was pressed before this was loaded; what follows it is for the field that it opens. */
  makeUpFor(event: KeyboardEvent): void
}

/**
 * Binds the keys.
 *
 * @param commands of the views that are shown; they come before those of the app
 * @param signal ends this
 */
export function createKeys(app: App, commands: Commands, signal: AbortSignal): Keys {
  const keys = new PageKeys(app, commands)
  const onPointerDown = () => {
    keys.forget()
    showSelection(false)
  }
  document.addEventListener('pointerdown', onPointerDown, { signal })
  signal.addEventListener('abort', () => keys.forget())
  return keys
}

class PageKeys implements Keys {
  readonly #app: App
  readonly #commands: Commands
  #own: Commands | undefined
  /** The first key whose command was not loaded, and those that were pressed after it. */
  #held: KeyboardEvent[] = []
  /** Whether a key was made up for, which those behind it belong to. */
  #isBehind = false

  constructor(app: App, commands: Commands) {
    this.#app = app
    this.#commands = commands
    const known = ownCommands.peek()
    if (known) this.#own = known(app)
  }

  take(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    if (this.#held.length > 0) this.#takeBehind(event)
    else this.#press(event)
  }

  makeUpFor(event: KeyboardEvent): void {
    if (this.#held.length > 0) this.#takeBehind(event)
    // The browser has written it, or has done nothing with it.
    else if (!(event.target instanceof Element) || isWriting(event.target)) return
    else if (this.#isBehind) this.#give(event)
    else if (isStillWanted(event)) this.#isBehind = this.#press(event)
  }

  forget(): void {
    this.#held = []
  }

  #takeBehind(event: KeyboardEvent): void {
    if (isFinishing(event)) return
    if (event.key === 'Escape') this.forget()
    else if (isText(event)) this.#held.push(event)
    else if (!lostKeys.has(event.key)) return
    event.preventDefault()
  }

  /** @returns whether it does something here */
  #press(event: KeyboardEvent): boolean {
    if (isFinishing(event)) return false
    const target = event.target instanceof Element ? event.target : document.body
    const command = commandOf(event, contextsOf(target, this.#app.pane.peek() !== undefined))
    if (!command) return false
    const run = this.#commands[command] ?? this.#own?.[command]
    const isMissing = !run && !this.#own
    // Last, because it searches the page, and most keys are typed text.
    if (!(run || isMissing) || isElsewhere(target, event)) return false
    event.preventDefault()
    // What a drawer covers takes no focus, so it closes before what is about the main pane.
    if (!command.startsWith('filter') && document.querySelector('main')?.inert) {
      closeLayers()
      if (command === 'escape') return true
    }
    showSelection(true)
    if (run) run()
    else this.#hold(event)
    return true
  }

  #hold(event: KeyboardEvent): void {
    this.#held.push(event)
    void this.#play()
  }

  async #play(): Promise<void> {
    try {
      const commandsOf = await ownCommands.load()
      this.#own ??= commandsOf(this.#app)
    } catch {
      // The next one tries again.
      this.forget()
      tellNotLoaded(this.#app)
      return
    }
    const [first, ...rest] = this.#held
    this.forget()
    if (!first || !isRecent(first)) return
    this.#press(first)
    for (const event of rest) this.#give(event)
  }

  /** Gives a key to the field that the first has opened. If there is none, nobody waits for it any longer. */
  #give(event: KeyboardEvent): void {
    if (isFinishing(event) || typeAhead(event) || !isText(event)) return
    const field = document.activeElement
    if (!field || !isWriting(field)) return
    if (event.key === 'Backspace') document.execCommand('delete')
    else document.execCommand('insertText', false, event.key)
  }
}

/** Who points sees what is pointed at; the selected message is only for the keys. */
function showSelection(shows: boolean): void {
  document.documentElement.toggleAttribute('data-keys', shows)
}

/** Whether a key can be made up for: the browser has done nothing with it, and the focus is there. */
const isStillWanted = (event: KeyboardEvent) =>
  isText(event) &&
  /^\S$/u.test(event.key) &&
  isRecent(event) &&
  event.target === document.activeElement

const isRecent = ({ timeStamp }: KeyboardEvent) => performance.now() - timeStamp < patience

/** Whether a key types something, or takes it back. */
function isText(event: KeyboardEvent): boolean {
  if (isFinishing(event) || event.ctrlKey || event.metaKey || event.altKey) return false
  return event.key.length === 1 || event.key === 'Backspace'
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
