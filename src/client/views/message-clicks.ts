import { openSurface } from '#client/actions/surfaces.tsx'
import type { App } from '#client/app.ts'
import { t } from '#client/ui/t.ts'
import { copyCode, movingOf, stillOf, toggleSpoiler } from './message-html.ts'
import { openUserCard } from './open-user-card.ts'

/*
 * Clicks and keys on what stands in messages, for all messages at once: an element that holds
 * messages has these as its handlers.
 */

/** Handles a click inside the HTML of a message. False where it was on nothing of it. */
export function clickMessageHtml(app: App, event: MouseEvent): boolean {
  const { target } = event
  if (!(target instanceof Element) || event.button !== 0) return false
  const header = target.closest<HTMLElement>('.spoiler-header')
  if (header && !target.closest('a')) {
    toggleSpoiler(header)
    return true
  }
  const copy = target.closest<HTMLElement>('.code-copy')
  if (copy) {
    copyCode(copy).catch(() => app.notify(t('The browser does not allow copying here.'), 'error'))
    return true
  }
  const mention = target.closest<HTMLElement>('.user-mention[data-user-id]')
  if (mention && mention.dataset.userId !== '*') {
    openUserCard(app, Number(mention.dataset.userId), mention)
    return true
  }
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (hasModifier) return false
  const video = target.closest('.message_inline_video video')
  if (video) {
    // The player's own controls; the link around it would leave.
    event.preventDefault()
    return true
  }
  const picture = pictureAt(target)
  if (picture) {
    event.preventDefault()
    void openLightbox(app, picture)
    return true
  }
  return false
}

/** Enter and Space on what acts as a button in a message. */
export function pressMessageHtml(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' && event.key !== ' ') return false
  const { target } = event
  if (!(target instanceof HTMLElement) || target.getAttribute('role') !== 'button') return false
  if (!target.closest('.rendered')) return false
  event.preventDefault()
  event.stopPropagation()
  target.click()
  return true
}

function pictureAt(target: Element): HTMLImageElement | undefined {
  const image =
    target.closest<HTMLImageElement>('img') ??
    target.closest('.message_inline_image a')?.querySelector('img')
  if (!image || image.classList.contains('emoji')) return undefined
  if (image.closest('.youtube-video') || !image.closest('.rendered')) return undefined
  return image
}

/** Every picture that the lightbox shows: those around the one that was clicked. */
export function picturesAround(image: HTMLImageElement): HTMLImageElement[] {
  const list = image.closest('[role="list"], .rendered') ?? document.body
  return [...list.querySelectorAll<HTMLImageElement>('.rendered img:not(.emoji)')].filter(
    (each) => !each.closest('.youtube-video'),
  )
}

async function openLightbox(app: App, image: HTMLImageElement): Promise<void> {
  try {
    const { Lightbox, pictureOf } = await import('./lightbox.tsx')
    const images = picturesAround(image)
    const pictures = images.map(pictureOf)
    const at = images.indexOf(image)
    openSurface((close) => Lightbox({ pictures, at: Math.max(0, at), onClose: close }))
  } catch {
    app.notify(t('This part could not be loaded. Check the connection and try again.'), 'error')
  }
}

/** Opens the first picture of a message in the lightbox. False where it has none. */
export function openFirstPicture(app: App, messageId: number): boolean {
  const row = document.querySelector(`[data-message-id="${messageId}"]`)
  const image = row?.querySelector<HTMLImageElement>('.rendered img:not(.emoji)')
  if (!image) return false
  void openLightbox(app, image)
  return true
}

/** Animated pictures move while the pointer is over them, if that is the user's setting. */
export function hoverMessageHtml(app: App, event: MouseEvent): void {
  const { target, type } = event
  if (!(target instanceof HTMLImageElement) || !target.dataset.animated) return
  if (app.store.settings.peek().web_animate_image_previews !== 'on_hover') return
  target.src = type === 'mouseover' ? movingOf(target.src) : stillOf(target.src)
}
