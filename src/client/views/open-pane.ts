import type { Signal } from '@preact/signals-core'
import type { Pane } from '#client/app.ts'
import type { PaneScroll } from './pane-scroll.ts'

export interface OpenPane extends Pane {
  readonly isHeld: Signal<boolean>
  readonly scroll: PaneScroll
  /** The mark of the entry of the history in which it was opened. */
  readonly entry: string
}
