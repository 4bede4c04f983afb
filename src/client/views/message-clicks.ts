import { openMessageDialog } from '#client/actions/message-dialogs.ts'
import type { App } from '#client/app.ts'
import { tellNotLoaded } from '#client/commands/with-loaded.ts'
import { toggleSpoiler } from '#client/messages/message-html.ts'
import type { Group } from '#client/state/model.ts'
import { whenActing } from '#client/ui/acting.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { startLoaded } from '#client/ui/start-loaded.ts'
import { t } from '#client/ui/t.ts'
import { openUserCard } from './open-user-card.ts'

/**
 * Handles clicks and keys inside messages, for all messages of an element together.
 *
 * @param onRow called with the clicked row, if nothing in it was clicked
 * @returns stops it
 */
export function listenToMessages(
  app: App,
  element: HTMLElement,
  onRow: (messageId: number) => void,
): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  element.addEventListener('click', (event) => clickMessage(app, event, onRow), { signal })
  element.addEventListener('keydown', pressMessageHtml, { signal })
  const stopMoving = startLoaded(async () => {
    const { moveHovered } = await import('./hovered-pictures.ts')
    return () => moveHovered(app, element)
  }, whenActing())
  if (matchMedia('(any-pointer: coarse)').matches) {
    // Without it, the buttons work as with fingers.
    import('./fingers.ts').then(
      ({ followFingers }) => signal.aborted || followFingers(app, element, onRow, signal),
      () => undefined,
    )
  }
  return () => {
    listeners.abort()
    stopMoving()
  }
}

function clickMessage(app: App, event: MouseEvent, onRow: (messageId: number) => void): void {
  const { target } = event
  if (clickMessageHtml(app, event) || !(target instanceof Element)) return
  const row = target.closest<HTMLElement>('[data-message-id]')
  if (!row || target.closest('a, button, input, textarea, select, video, audio')) return
  onRow(Number(row.dataset.messageId))
}

/** Handles a click inside the HTML of a message. False: it was not on a control. */
function clickMessageHtml(app: App, event: MouseEvent): boolean {
  const { target } = event
  if (!(target instanceof Element) || event.button !== 0) return false
  const header = target.closest<HTMLElement>('.spoiler-header')
  if (header && !target.closest('a')) {
    toggleSpoiler(header)
    return true
  }
  const copy = target.closest<HTMLElement>('.code-copy')
  if (copy) {
    const refuse = () => app.notify(t('Your browser does not allow copying here.'), 'error')
    import('#client/messages/copy-code.ts').then(
      ({ copyCode }) => copyCode(copy).catch(refuse),
      () => tellNotLoaded(app),
    )
    return true
  }
  const edited = target.closest('.message-edited')?.closest<HTMLElement>('[data-message-id]')
  const message = edited && app.store.messages.peek(Number(edited.dataset.messageId))
  if (message) {
    openMessageDialog(app, 'history', message)
    return true
  }
  const mention = target.closest<HTMLElement>('.user-mention[data-user-id]')
  if (mention && mention.dataset.userId !== '*') {
    openUserCard(app, Number(mention.dataset.userId), mention)
    return true
  }
  const group = groupMentioned(app, target)
  if (group) {
    app.router.go({ kind: 'group', groupId: group.id, section: 'members' })
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
    openLightbox(app, picture)
    return true
  }
  return false
}

/** The group whose mention was clicked; undefined for system groups. */
function groupMentioned({ store }: App, target: Element): Group | undefined {
  const id = target.closest<HTMLElement>('.user-group-mention')?.dataset.userGroupId
  const group = id === undefined ? undefined : store.groups.peek(Number(id))
  return group?.isSystem ? undefined : group
}

/** Enter and Space on buttons in a message. */
function pressMessageHtml(event: KeyboardEvent): void {
  if (isFinishing(event) || (event.key !== 'Enter' && event.key !== ' ')) return
  const { target } = event
  if (!(target instanceof HTMLElement) || target.getAttribute('role') !== 'button') return
  if (!target.closest('.rendered')) return
  event.preventDefault()
  event.stopPropagation()
  target.click()
}

function pictureAt(target: Element): HTMLImageElement | undefined {
  const image =
    target.closest<HTMLImageElement>('img') ??
    target.closest('.message_inline_image a')?.querySelector('img')
  if (!image || image.classList.contains('emoji')) return undefined
  if (image.closest('.youtube-video') || !image.closest('.rendered')) return undefined
  return image
}

function openLightbox(app: App, image: HTMLImageElement): void {
  import('./lightbox.tsx').then(
    ({ showPicture }) => showPicture(image),
    () => tellNotLoaded(app),
  )
}
