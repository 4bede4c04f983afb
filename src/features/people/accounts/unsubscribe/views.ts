import { html } from 'hono/html'
import type { UnsubscribeKind } from '#features/notifications/mail/unsubscribe.queries.ts'
import { page } from '#platform/pages/html.ts'

/** The kinds of mail, as they complete "You will get no more mail about". */
const subjects: Readonly<Record<UnsubscribeKind, string>> = {
  missed_messages: 'direct messages and mentions',
  digest: 'what happened while you were away',
  login: 'new logins to your account',
}

/** The button that ends a kind of mail. */
export async function unsubscribeForm(kind: UnsubscribeKind, action: string): Promise<Response> {
  return await page(
    'Unsubscribe',
    html`<h1>Unsubscribe</h1>
<p>You will get no more mail about ${subjects[kind]}.</p>
<form method="post" action="${action}"><button>Unsubscribe</button></form>`,
  )
}

export async function unsubscribedPage(kind: UnsubscribeKind): Promise<Response> {
  return await page(
    'Unsubscribed',
    html`<h1>Unsubscribed</h1>
<p>You get no more mail about ${subjects[kind]}. Your settings turn it on again.</p>`,
  )
}

export async function unknownKeyPage(): Promise<Response> {
  return await page(
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>Choose in your settings which mail you get.</p>`,
    404,
  )
}
