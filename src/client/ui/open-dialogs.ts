import { signal } from '@preact/signals-core'

/** The modal dialogs that are open, the one on top last. Finding them in the page takes a millisecond. */
export const openDialogs = signal<readonly HTMLDialogElement[]>([])
