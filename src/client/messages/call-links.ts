import type { App } from '#client/app.ts'

/** Shows the links to calls in the HTML of a message as cards, once their code is loaded. */
export function showCalls(element: HTMLElement, html: string, { store }: App): void {
  const settings = store.realm.peek()
  // Most messages have no link that stands alone in its line.
  if (!settings.realm_video_chat_provider || !/(<p>|<br>\n)<a href="http/.test(html)) return
  void import('#client/calls/call-cards.tsx').then(
    ({ showCallCards }) => showCallCards(element, settings),
    () => {},
  )
}
