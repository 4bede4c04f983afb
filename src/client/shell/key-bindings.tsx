import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { isOpening } from '#client/commands/surfaces.tsx'
import type { Commands } from '#client/keys/commands.ts'
import { startCopying } from '#client/messages/early-copies.ts'
import { isFinishing } from '#client/ui/finishing.ts'

interface KeyBindingsProps {
  /** Commands of the views that are shown, such as those of the side bars. */
  readonly commands?: Commands
}

const none: Commands = {}

/** Binds the keys while it is drawn, and what they copy: loaded after what is seen. Stands once in the shell. */
export function KeyBindings({ commands = none }: KeyBindingsProps) {
  const app = useApp()
  useEffect(() => {
    let early: KeyboardEvent[] = []
    const keep = (event: KeyboardEvent) => {
      if (isFinishing(event)) return
      // Shift alone is none, and there is nothing to take back before the first.
      const isText = event.key.length === 1 || (event.key === 'Backspace' && early.length > 0)
      if (isText && !isOpening()) early.push(event)
      else if (event.key === 'Escape') early = []
    }
    document.addEventListener('keydown', keep)
    let stop = () => document.removeEventListener('keydown', keep)
    let isOver = false
    import('#client/keys/listen.ts').then(
      ({ listenToKeys }) => {
        if (isOver) return
        stop()
        stop = listenToKeys(app, commands, early)
      },
      // Everything can be done without keys; the next start brings them.
      () => stop(),
    )
    return () => {
      isOver = true
      stop()
    }
  }, [app, commands])
  useEffect(() => startCopying(app), [app])
  return null
}
