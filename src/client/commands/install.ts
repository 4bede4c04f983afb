import { installOffer } from '#client/ui/install-offer.ts'

/** Lets the browser ask whether to install the client. An offer can be used once. */
export async function install(): Promise<void> {
  const offer = installOffer.peek()
  installOffer.value = undefined
  await offer?.prompt()
}

/** Whether this is the installed app. */
export function isInstalled(): boolean {
  const isOnHomeScreen = (navigator as Navigator & { standalone?: boolean }).standalone === true
  return isOnHomeScreen || matchMedia('(display-mode: standalone)').matches
}

/** Whether the browser installs pages only by its own menu, as on iPhones. */
export function installsByMenu(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent) && !isInstalled()
}
