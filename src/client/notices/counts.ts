import { conversationKey } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'

/** The number of unread messages for the icon, by the user's setting. */
export function iconCount(store: Store): number {
  const { total, direct } = store.unreads.counts.value
  switch (store.settings.value.desktop_icon_count_display) {
    case 1:
      return total
    case 2:
      return direct + countChannels(store, true)
    case 3:
      return direct + countChannels(store, false)
    default:
      return 0
  }
}

/** Unread channel messages that mention the user, and all of followed topics if wanted. */
function countChannels(store: Store, withFollowed: boolean): number {
  const mentions = store.unreads.mentions.value
  let count = 0
  for (const { conversation, count: unread } of store.unreads.conversations.value) {
    if (conversation.kind === 'direct') continue
    const policy = store.topicPolicies.get(conversationKey(conversation))?.policy
    if (withFollowed && policy === 3) count += unread
    else count += store.unreads.idsOf(conversation).filter((id) => mentions.has(id)).length
  }
  return count
}

type BadgeNavigator = Navigator & {
  setAppBadge?(count: number): Promise<void>
  clearAppBadge?(): Promise<void>
}

let prefix = ''
let named = ''

/** Shows a count before the title and on the icon of an installed app. */
export function showCount(count: number): void {
  const badge: BadgeNavigator = navigator
  void (count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.())?.catch(() => undefined)
  // Desktop apps read the number, so it is never shortened.
  prefix = count > 0 ? `(${count}) ` : ''
  drawTitle()
  drawIcon(count)
}

/** Shows the name of the view in the title of the page. */
export function setTitle(text: string): void {
  named = text
  drawTitle()
}

function drawTitle(): void {
  document.title = prefix + named
}

let plainIcon: string | undefined
/** How long browsers may take to read an icon, in milliseconds. */
const readingTime = 60_000
/** The count that the icon should show; a drawing for another one comes too late. */
let wanted = 0

/** Draws a dot with the count over the page's icon. */
function drawIcon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]')
  if (!link) return
  plainIcon ??= link.href
  wanted = count
  if (count === 0) {
    setIcon(link, plainIcon)
    return
  }
  const image = new Image()
  image.src = plainIcon
  image.onload = () => {
    const size = 64
    const canvas = document.createElement('canvas')
    canvas.width = size
    canvas.height = size
    const context = canvas.getContext('2d')
    if (!context) return
    context.drawImage(image, 0, 0, size, size)
    context.fillStyle = '#c62b1d'
    context.beginPath()
    context.arc(44, 44, 20, 0, 2 * Math.PI)
    context.fill()
    context.fillStyle = '#ffffff'
    context.font = `bold ${count > 99 ? 20 : count > 9 ? 26 : 30}px sans-serif`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillText(count > 99 ? '99+' : String(count), 44, 46)
    canvas.toBlob((blob) => {
      if (blob && wanted === count) setIcon(link, URL.createObjectURL(blob))
    })
  }
}

function setIcon(link: HTMLLinkElement, url: string): void {
  const { href } = link
  // The browser may still be reading it.
  if (href.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(href), readingTime)
  link.href = url
}
