/** The server's previews below a text: `.message_inline_image` of pictures and videos. */
const shownFiles = '.message_inline_image a[href]'

/**
 * Draws links to uploaded files as cards if they are alone in their paragraph, and removes those
 * whose picture or video is shown below.
 */
export function reviveFiles(element: HTMLElement): void {
  const links = [...element.querySelectorAll<HTMLAnchorElement>('p > a[href]')].filter(isFile)
  if (links.length === 0) return
  const shown = new Set(
    [...element.querySelectorAll<HTMLAnchorElement>(shownFiles)].map(({ href }) => href),
  )
  for (const paragraph of new Set(links.map((link) => link.parentElement))) {
    if (!paragraph || ![...paragraph.childNodes].every(isFileOrSpace)) continue
    const own = links.filter((link) => link.parentElement === paragraph)
    const left = own.filter(({ href }) => !shown.has(href))
    paragraph.hidden = left.length === 0
    paragraph.classList.add('file-cards')
    for (const link of own) link.hidden = shown.has(link.href)
    for (const link of left) {
      link.classList.add('file-card')
      link.dataset.kind = kindOf(link.pathname)
      void import('./file-sizes.ts').then(
        ({ showSize }) => showSize(link),
        () => {},
      )
    }
  }
}

function isFile(link: HTMLAnchorElement): boolean {
  return link.origin === location.origin && link.pathname.startsWith('/user_uploads/')
}

function isFileOrSpace(node: Node): boolean {
  if (node instanceof HTMLAnchorElement) return isFile(node)
  return node.nodeName === 'BR' || node.textContent?.trim() === ''
}

/** The kind of a file on a card, from the extension in its path: `PDF`. */
export function kindOf(path: string): string {
  return /\.(\w{1,4})$/.exec(path)?.[1]?.toUpperCase() ?? '…'
}
