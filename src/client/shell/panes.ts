import { computed, effect, type Signal, signal, untracked } from '@preact/signals-core'
import { searchCovers } from '#client/commands/ask-search.ts'
import { addLayer } from '#client/ui/layers.ts'
import { phoneQuery } from '#client/ui/phone.ts'
import type { PaneName } from '#client/views/view-head.tsx'

/** Where the people lie over the messages. The same as in the styles. */
const drawerQuery = '(max-width: 1200px)'

/**
 * Follows which pane is shown. Where there is no room beside the messages, it covers them: then nothing
 * in the main pane takes the focus or is read out, and Back or a click there closes what covers it.
 *
 * @returns ends this
 */
export function followPanes(shell: HTMLElement, shown: Signal<PaneName>): () => void {
  const listeners = new AbortController()
  const { signal: ended } = listeners
  const [phone, narrow] = [matchMedia(phoneQuery), matchMedia(drawerQuery)]
  const isPhone = signal(phone.matches)
  const isNarrow = signal(narrow.matches)
  const look = () => {
    isPhone.value = phone.matches
    isNarrow.value = narrow.matches
  }
  for (const query of [phone, narrow]) query.addEventListener('change', look, { signal: ended })

  const isDrawer = computed(() => {
    if (shown.value === 'main') return false
    return shown.value === 'left' ? isPhone.value : isNarrow.value
  })
  const close = () => {
    shown.value = 'main'
  }
  const stops = [
    effect(() => (isDrawer.value ? untracked(() => addLayer(close)) : undefined)),
    effect(() => {
      const main = shell.querySelector<HTMLElement>('main')
      if (main) main.inert = isDrawer.value || searchCovers.value
    }),
  ]
  // What is inert leaves clicks to what it is in.
  const onClick = ({ target }: MouseEvent) => {
    if (target === shell && isDrawer.peek()) close()
  }
  shell.addEventListener('click', onClick, { signal: ended })
  if (navigator.maxTouchPoints > 0) {
    import('./touch.ts').then(
      ({ followFingers }) => followFingers(shell, shown, ended),
      // Then buttons lead from pane to pane, and the browser scrolls to what one types.
      () => undefined,
    )
  }
  return () => {
    for (const stop of stops) stop()
    listeners.abort()
  }
}
