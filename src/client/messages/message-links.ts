import type { App } from '#client/app.ts'

/** Shows the messages that a message links to as cards, once their code is loaded. */
export function showLinkedMessages(element: HTMLElement, html: string, app: App): void {
  if (!/#narrow\/[^"#]*\/near\/\d/.test(html)) return
  void import('./message-cards.tsx').then(
    ({ showMessageCards }) => showMessageCards(element, app),
    () => {},
  )
}
