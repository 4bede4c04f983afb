import type { App } from '#client/app.ts'
import { whenActing } from '#client/ui/acting.ts'
import { startLoaded } from '#client/ui/start-loaded.ts'

/**
 * Follows copies of messages once someone is about to do something. A copy before the code is there is
 * the browser's, and is made again when it is, if the same is still selected.
 *
 * @returns stops it
 */
export function startCopying(app: App): () => void {
  let copied = ''
  const note = () => {
    copied = String(getSelection())
  }
  document.addEventListener('copy', note)
  const stopNoting = () => document.removeEventListener('copy', note)

  const load = async () => {
    const { followCopies } = await import('./copy-messages.ts')
    return () => {
      stopNoting()
      const stop = followCopies(app)
      if (copied !== '' && copied === String(getSelection())) document.execCommand('copy')
      return stop
    }
  }
  const stop = startLoaded(load, whenActing())
  return () => {
    stopNoting()
    stop()
  }
}
