import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { Commands } from '#client/keys/commands.ts'
import type { Keys } from '#client/keys/listen.ts'
import { startCopying } from '#client/messages/early-copies.ts'
import { later } from '#client/ui/later.ts'

interface KeyBindingsProps {
  /** Commands of the views that are shown, such as those of the side bars. */
  readonly commands?: Commands
}

const none: Commands = {}

/** One promise for all keys before it is there, which come in their order. */
const binding = later(async () => (await import('#client/keys/listen.ts')).createKeys)

/** Binds the keys while it is drawn, and what they copy: loaded after what is seen. Stands once in the shell. */
export function KeyBindings({ commands = none }: KeyBindingsProps) {
  const app = useApp()
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    let keys: Keys | undefined
    const bind = async (late?: KeyboardEvent) => {
      // Everything can be done without keys; the next one tries again.
      const create = await binding.load().catch(() => undefined)
      if (!create || signal.aborted) return
      keys ??= create(app, commands, signal)
      if (late) keys.makeUpFor(late)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (keys) keys.take(event)
      else void bind(event)
    }
    document.addEventListener('keydown', onKeyDown, { signal })
    void bind()
    return () => end.abort()
  }, [app, commands])
  useEffect(() => startCopying(app), [app])
  return null
}
