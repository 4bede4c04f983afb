import { html } from 'hono/html'
import type { IdentityProvider } from '#platform/config.ts'
import type { Html } from '#platform/pages/html.ts'
import type { Translator } from '#translations/translate.ts'

/** A button for each provider. @param pathOf the target of a provider's button */
export function providerButtons(
  { t }: Translator,
  providers: readonly Pick<IdentityProvider, 'id' | 'name'>[],
  pathOf: (id: string) => string,
): Html {
  return html`${providers.map(
    ({ id, name }) =>
      html`<a class="button plain provider" href="${pathOf(id)}">${t('Continue with {provider}', { provider: name })}</a>\n`,
  )}`
}
