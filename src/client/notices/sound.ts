import type { UserSettings } from '#client/api/wire.ts'

/** The sounds are synthesized, not loaded: two or three tones that fade. */

type Sound = UserSettings['notification_sound']

/** Frequencies in hertz, and when each begins, in seconds. */
const tones: Readonly<Record<Exclude<Sound, 'none'>, readonly (readonly [number, number])[]>> = {
  ding: [[1318.5, 0]],
  zulip: [
    [783.99, 0],
    [1046.5, 0.12],
  ],
}

let context: AudioContext | undefined
let lastAt = 0

/** Plays a sound, at most one a second. Browsers refuse before the user has clicked or typed. */
export function playSound(sound: Sound): void {
  if (sound === 'none' || !('AudioContext' in globalThis)) return
  const now = Date.now()
  if (now - lastAt < 1000) return
  lastAt = now
  context ??= new AudioContext()
  void context.resume().catch(() => undefined)
  for (const [frequency, start] of tones[sound]) playTone(context, frequency, start)
}

function playTone(audio: AudioContext, frequency: number, start: number): void {
  const at = audio.currentTime + start
  const oscillator = audio.createOscillator()
  const gain = audio.createGain()
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(0, at)
  gain.gain.linearRampToValueAtTime(0.18, at + 0.01)
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.45)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(at)
  oscillator.stop(at + 0.5)
}
