import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { Commands } from '#client/keys/commands.ts'

interface KeyBindingsProps {
  /** Commands of the views that are shown, such as those of the side bars. */
  readonly commands?: Commands
}

const none: Commands = {}

/** Binds the keys while it is drawn: loaded after what is seen. Stands once in the shell. */
export function KeyBindings({ commands = none }: KeyBindingsProps) {
  const app = useApp()
  useEffect(() => {
    let isOver = false
    let stop: (() => void) | undefined
    import('#client/keys/listen.ts').then(
      ({ listenToKeys }) => {
        if (!isOver) stop = listenToKeys(app, commands)
      },
      // Everything can be done without keys; the next start brings them.
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [app, commands])
  return null
}
