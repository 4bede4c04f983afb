import { html } from 'hono/html'
import { page } from '#platform/pages/html.ts'

/** The button that ends mail about messages. */
export async function unsubscribeForm(action: string): Promise<Response> {
  return await page(
    'Mail about messages',
    html`<h1>Mail about messages</h1>
<p>You will get no more mail about direct messages and mentions.</p>
<form method="post" action="${action}"><button>Unsubscribe</button></form>`,
  )
}

export async function unsubscribedPage(): Promise<Response> {
  return await page(
    'Unsubscribed',
    html`<h1>Unsubscribed</h1>
<p>You get no more mail about direct messages and mentions. Your settings turn it on again.</p>`,
  )
}

export async function unknownKeyPage(): Promise<Response> {
  return await page(
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>Turn mail about messages off in your settings.</p>`,
    404,
  )
}
