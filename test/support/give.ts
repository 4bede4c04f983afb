import type { Page } from 'playwright-core'

/** Pastes, drags or drops what a browser would give, into the box or elsewhere. */
export async function give(
  page: Page,
  how: 'paste' | 'dragover' | 'drop',
  { html = '', text = '', file = '' }: { html?: string; text?: string; file?: string },
  where = page.getByRole('textbox', { name: 'Message', exact: true }),
): Promise<void> {
  await where.evaluate(
    (element, given) => {
      const data = new DataTransfer()
      if (given.html) data.setData('text/html', given.html)
      if (given.text) data.setData('text/plain', given.text)
      if (given.file) data.items.add(new File(['Some text'], given.file, { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        given.how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent(given.how, { ...options, dataTransfer: data }),
      )
    },
    { how, html, text, file },
  )
}
