import type { App } from '#client/app.ts'
import { stillOf } from '#client/messages/message-html.ts'

/** Animated pictures in an element move while the pointer is over them, if that is the user's setting. */
export function moveHovered(app: App, element: HTMLElement): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  const hover = ({ target, type }: MouseEvent) => {
    if (!(target instanceof HTMLImageElement) || !target.dataset.animated) return
    if (app.store.settings.peek().web_animate_image_previews !== 'on_hover') return
    target.src = type === 'mouseover' ? movingOf(target.src) : stillOf(target.src)
  }
  element.addEventListener('mouseover', hover, { signal })
  element.addEventListener('mouseout', hover, { signal })
  return () => listeners.abort()
}

/** The moving thumbnail. */
function movingOf(url: string): string {
  return url.replace(/(?<!-anim)\.webp$/, '-anim.webp')
}
