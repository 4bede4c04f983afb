import { signal } from '@preact/signals-core'
import { forgetZone, onTimesRead } from './dates.ts'

/** Counts how often the texts of times have become others. */
const version = signal(0)

/** Subscribes to what changes the texts of times. */
export function readTimes(): void {
  version.value
}

/** Makes all that draws the text of a time subscribe to what changes it. To be called before that. */
export function trackTimes(): void {
  onTimesRead(readTimes)
}

/** Says all times again: another day has begun, or the machine is in another zone. */
export function renewTimes(): void {
  forgetZone()
  version.value++
}
