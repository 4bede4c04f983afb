import type { App } from '#client/app.ts'
import { mentionName } from '#client/commands/quoting.ts'
import { momentText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'
import { emojiText } from '#shared/emoji-text.ts'

/** What the client draws around and below the text of a message. */
const furniture =
  '.code-bar, .linked-message, .call-card, .message_embed, .file-size, button, svg.icon'

/**
 * Makes HTML of a message what other programs read well: addresses are whole, formulas are their
 * source, spoilers fold by themselves. What the message was written as goes into `data-` attributes
 * that `#shared/markdown-writer.ts` reads back.
 *
 * @param body of the server, or copied from the page
 */
export function prepareCopy(body: HTMLElement, app: App): void {
  for (const element of body.querySelectorAll(furniture)) element.remove()
  for (const formula of body.querySelectorAll('.katex')) prepareFormula(formula)
  for (const emoji of body.querySelectorAll<HTMLElement>('span.emoji')) prepareEmoji(emoji)
  for (const time of body.querySelectorAll('time')) prepareTime(time, app)
  for (const name of body.querySelectorAll<HTMLElement>('.user-mention, .user-group-mention')) {
    prepareMention(name, app)
  }
  for (const styled of body.querySelectorAll<HTMLElement>('[data-style]')) {
    styled.style.cssText = styled.dataset.style ?? ''
    styled.removeAttribute('data-style')
  }
  for (const item of body.querySelectorAll<HTMLElement>('li')) {
    if (item.querySelector(':scope > p')) item.dataset.loose = 'true'
  }
  for (const table of body.querySelectorAll('table')) table.setAttribute('border', '1')
  prepareLinks(body)
  for (const block of body.querySelectorAll<HTMLElement>('div.spoiler-block')) prepareSpoiler(block)
  for (const element of body.querySelectorAll('[role], [tabindex], [dir]')) {
    for (const name of ['role', 'tabindex', 'dir', 'aria-expanded']) element.removeAttribute(name)
  }
}

function prepareFormula(formula: Element): void {
  const source = document.createElement('annotation')
  source.textContent = formula.querySelector('annotation')?.textContent ?? formula.textContent
  formula.replaceChildren(source)
}

function prepareEmoji(emoji: HTMLElement): void {
  const code = /(?:^| )emoji-([0-9a-f-]+)/.exec(emoji.className)?.[1]
  if (code) emoji.textContent = emojiText(code)
}

function prepareTime(time: HTMLTimeElement, { store }: App): void {
  // The client's own have a title, and say beforehand what they were written as.
  if (time.title === '') time.dataset.source = time.textContent ?? ''
  const at = Date.parse(time.dateTime) / 1000
  if (!Number.isNaN(at)) time.textContent = momentText(at, store.settings.peek())
  time.removeAttribute('title')
}

function prepareMention(mention: HTMLElement, { store }: App): void {
  const { userId, userGroupId } = mention.dataset
  const user = userId === undefined ? undefined : store.users.peek(Number(userId))
  const group = userGroupId === undefined ? undefined : store.groups.peek(Number(userGroupId))
  if (user) mention.dataset.source = mentionName(store.users.current.values(), user)
  else if (group) mention.dataset.source = group.name
}

function prepareLinks(body: HTMLElement): void {
  for (const hidden of body.querySelectorAll('p[hidden], a[hidden]')) {
    hidden.removeAttribute('hidden')
  }
  const known = new Set<string>()
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    link.setAttribute('href', link.href)
    link.removeAttribute('target')
    link.removeAttribute('rel')
    if (link.closest('.message_inline_image, .youtube-video')) continue
    known.add(link.href)
    if (link.title !== '') link.dataset.title = link.title
  }
  for (const preview of body.querySelectorAll('.message_inline_image, .youtube-video')) {
    const link = preview.querySelector<HTMLAnchorElement>('a[href]')
    if (!link || known.has(link.href)) preview.remove()
    else link.textContent = link.title || link.href.replace(/^.*\/(?=[^/])/, '')
  }
  for (const image of body.querySelectorAll('img')) {
    image.src = new URL(image.getAttribute('src') ?? '', location.href).href
    image.removeAttribute('loading')
  }
}

/** Uses an element that folds in other programs as well. */
function prepareSpoiler(block: HTMLElement): void {
  const head = block.querySelector('.spoiler-header')
  const content = block.querySelector<HTMLElement>('.spoiler-content')
  if (!head || !content) return
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  details.className = 'spoiler-block'
  summary.className = 'spoiler-header'
  details.open = content.ariaHidden === 'false'
  const isUntitled = head.textContent?.trim() === ''
  const source = head.getAttribute('data-source') ?? (isUntitled ? 'none' : '')
  if (source !== '') summary.dataset.source = source
  summary.append(...(isUntitled ? [t('Spoiler')] : head.childNodes))
  content.removeAttribute('hidden')
  content.removeAttribute('aria-hidden')
  details.append(summary, content)
  block.replaceWith(details)
}
