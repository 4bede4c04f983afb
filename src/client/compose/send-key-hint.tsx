import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { t } from '#client/ui/t.ts'

/** A user who has sent this many messages knows how. */
const enough = 5
const storageKey = 'parley:sends'

const sends = signal(stored())

function stored(): number {
  try {
    return Number(localStorage.getItem(storageKey) ?? 0)
  } catch {
    return 0
  }
}

/** Counts a message that was sent from this browser. */
export function countSend(): void {
  if (sends.peek() >= enough) return
  sends.value += 1
  try {
    localStorage.setItem(storageKey, String(sends.peek()))
  } catch {
    // Without storage the hint comes back with the next start.
  }
}

/** Says which key sends, to people who have not sent much yet, and offers the other one. */
export function SendKeyHint() {
  const app = useApp()
  const { enter_sends } = app.store.settings.value
  const words = useRef<HTMLSpanElement>(null)
  const isCut = useIsCut(words)
  if (sends.value >= enough) return null
  const change = () => void attempt(app, app.changes.changeSetting('enter_sends', !enter_sends))
  return (
    <span class="compose-hint">
      <span ref={words} inert={isCut}>
        {enter_sends ? t('Enter sends') : t('Ctrl+Enter sends')}
        {' · '}
        <button type="button" class="link-button" onClick={change}>
          {enter_sends ? t('Use Ctrl+Enter') : t('Use Enter')}
        </button>
      </span>
    </span>
  )
}

const half = 0.5

/** Whether an element is not seen because what it is in has no room for it. */
function useIsCut(element: RefObject<HTMLElement | null>): boolean {
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current) return
    const look = (entries: readonly IntersectionObserverEntry[]) =>
      setCut((entries.at(-1)?.intersectionRatio ?? 1) < half)
    const observer = new IntersectionObserver(look, {
      root: current.parentElement,
      threshold: half,
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return isCut
}
