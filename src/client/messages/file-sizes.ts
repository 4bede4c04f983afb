import { sizeText } from '#client/ui/sizes.ts'

/** The sizes of files in bytes, by their addresses; undefined if the server did not tell. */
const sizes = new Map<string, Promise<number | undefined>>()

/** Asks only for files whose cards come into sight. */
const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    sight.unobserve(target)
    void show(target as HTMLAnchorElement)
  }
})

/** Shows the size of a file on its card. The server checks again who may read the file. */
export function showSize(card: HTMLAnchorElement): void {
  sight.observe(card)
}

async function show(card: HTMLAnchorElement): Promise<void> {
  const bytes = await sizeOf(card.href)
  if (bytes === undefined || card.querySelector('.file-size')) return
  const text = document.createElement('span')
  text.className = 'file-size'
  text.textContent = sizeText(bytes)
  card.append(' ', text)
}

/** Asks once for each file, and again only after a failure. */
function sizeOf(address: string): Promise<number | undefined> {
  let found = sizes.get(address)
  if (!found) {
    found = ask(address).catch(() => undefined)
    sizes.set(address, found)
    void found.then((bytes) => bytes === undefined && sizes.delete(address))
  }
  return found
}

async function ask(address: string): Promise<number | undefined> {
  const { headers, ok } = await fetch(address, { method: 'HEAD' })
  const bytes = ok ? headers.get('content-length') : null
  return bytes === null ? undefined : Number(bytes)
}
