import type { App } from '#client/app.ts'

/**
 * Shows counts in the title and on the icon, and reports new messages. Returns a function that ends
 * this.
 */
export function startNotices(app: App): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  // Loaded after what is seen.
  import('./watch.ts').then(
    ({ watchMessages }) => {
      if (!isOver) stop = watchMessages(app)
    },
    // The client works without notices; the next start brings them.
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}
