import { boot } from './start/boot.tsx'
import { keepInstallOffer } from './ui/install-offer.ts'
import { loadCatalogue } from './ui/t.ts'
import { trustedWorker } from './ui/trusted-types.ts'

const root = document.getElementById('app')
if (root) void start(root)
keepInstallOffer()
if ('serviceWorker' in navigator) void registerWorker()

async function start(root: HTMLElement): Promise<void> {
  await loadCatalogue()
  await boot(root)
}

/** Without it, everything works except a start without a network. */
async function registerWorker(): Promise<void> {
  try {
    await navigator.serviceWorker.register(trustedWorker())
  } catch {
    // For browsers that keep nothing, as in private windows.
  }
}
