import { boot } from './start/boot.tsx'
import { trustedWorker } from './ui/trusted-types.ts'

const root = document.getElementById('app')
if (root) void boot(root)
if ('serviceWorker' in navigator) void registerWorker()

/** Without it everything works but a start without a network. */
async function registerWorker(): Promise<void> {
  try {
    await navigator.serviceWorker.register(trustedWorker())
  } catch {
    // A browser that keeps nothing, as in its private windows.
  }
}
