import { signal } from '@preact/signals'

/** The event of a browser that can install the page as an app. */
export interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** The browser's offer, until it is used; undefined: there is none, or it is installed. */
export const installOffer = signal<InstallOffer | undefined>(undefined)

/** Keeps the browser's offer, which comes once and early, for the right moment. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installOffer.value = event as InstallOffer
  })
  addEventListener('appinstalled', () => {
    installOffer.value = undefined
  })
}
