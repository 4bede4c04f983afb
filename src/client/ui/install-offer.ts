import { signal } from '@preact/signals'

/** What a browser offers once it can install the page as an app. */
export interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** The browser's offer, until it was used; undefined where there is none, or it is installed. */
export const installOffer = signal<InstallOffer | undefined>(undefined)

/** Takes the browser's offer, which it makes once and early, to be made where it fits. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installOffer.value = event as InstallOffer
  })
  addEventListener('appinstalled', () => {
    installOffer.value = undefined
  })
}
