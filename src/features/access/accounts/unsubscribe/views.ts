import { html } from 'hono/html'
import type { UnsubscribeKind } from '#features/foundation/mail/unsubscribe.queries.ts'
import { headedPage } from '#platform/pages/html.ts'
import { type Text, type Translator, texts } from '#translations/translate.ts'

/** The texts about a kind of mail, before and after it is ended. */
const notices: Readonly<Record<UnsubscribeKind, { readonly before: Text; readonly after: Text }>> =
  texts({
    missed_messages: {
      before: 'You will no longer get emails about direct messages and mentions.',
      after: 'You no longer get emails about direct messages and mentions.',
    },
    digest: {
      before: 'You will no longer get emails about what happened while you were away.',
      after: 'You no longer get emails about what happened while you were away.',
    },
    login: {
      before: 'You will no longer get emails about new logins to your account.',
      after: 'You no longer get emails about new logins to your account.',
    },
  })

/** The button that ends a kind of mail. */
export async function unsubscribeForm(
  language: Translator,
  kind: UnsubscribeKind,
  action: string,
): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Unsubscribe'),
    html`<p>${t(notices[kind].before)}</p>
<form method="post" action="${action}"><button>${t('Unsubscribe')}</button></form>`,
  )
}

export async function unsubscribedPage(
  language: Translator,
  kind: UnsubscribeKind,
): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Unsubscribed'),
    html`<p>${t(notices[kind].after)} ${t('You can turn them on again in your settings.')}</p>`,
  )
}

export async function unknownKeyPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This link is not valid'),
    html`<p>${t('Choose in your settings which emails you get.')}</p>`,
    404,
  )
}
