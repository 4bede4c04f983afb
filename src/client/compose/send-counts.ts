import { signal } from '@preact/signals'
import { localValues } from '#client/ui/browser-storage.ts'

/** A user who has sent this many messages knows which key sends. */
const enough = 5
const storageKey = 'parley:sends'

const sends = signal(Number(localValues.getItem(storageKey) ?? 0))
const isEnterUsed = signal(false)

/** Whether to say which key sends. Reading it subscribes. */
export const isSendKeyNew = () => isEnterUsed.value && sends.value < enough

/** Counts a message that was sent from this browser. */
export function countSend(): void {
  if (sends.peek() < enough) remember(sends.peek() + 1)
}

/** The user knows it. */
export function learnSendKey(): void {
  remember(enough)
}

/** The key was pressed in the box: now it matters what it does. */
export function noteEnter(): void {
  isEnterUsed.value = true
}

function remember(count: number): void {
  sends.value = count
  localValues.setItem(storageKey, String(count))
}
