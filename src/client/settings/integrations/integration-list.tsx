import { useState } from 'preact/hooks'
import type { Integration } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { byName, userName } from '#client/state/names.ts'
import { FilterField } from '#client/ui/filter-field.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { t, tSent } from '#client/ui/t.ts'
import { integrationsOf } from './addresses.ts'
import { ServiceMark } from './service-mark.tsx'

/** The server's list of integrations. */
export interface Catalogue {
  /** In the order in which they are listed. */
  readonly categories: readonly string[]
  readonly integrations: readonly Integration[]
}

interface IntegrationListProps {
  readonly catalogue: Catalogue
  /** The bot that a service is chosen for, if there is one already. */
  readonly botId: number | undefined
}

/** The services by their categories, which a search narrows down. */
export function IntegrationList({ catalogue, botId }: IntegrationListProps) {
  const { store, router } = useApp()
  const [typed, setTyped] = useState('')
  const found = searched(catalogue, typed)
  const categories = [...new Set(found.map(({ category }) => category))]
  return (
    <>
      <p class="field-help">
        {botId === undefined
          ? t(
              'Services post messages to channels through the webhook URL of a bot. Choose a service to create one.',
            )
          : t('Which service is {name} for? Its page has the webhook URL.', {
              name: userName(botId, store),
            })}
      </p>
      <div class="integration-search">
        <FilterField
          label={t('Find an integration')}
          value={typed}
          onChange={setTyped}
          onChoose={() => {
            const [first] = found
            if (first) router.go(integrationsOf({ botId, service: first.name }))
          }}
        />
      </div>
      {categories.map((category) => (
        <section key={category} class="stack integration-category">
          <h4>{tSent(category)}</h4>
          <ul class="integration-list">
            {found
              .filter((each) => each.category === category)
              .map(({ name, display_name }) => (
                <li key={name}>
                  <a
                    class="row loose integration-link"
                    href={router.href(integrationsOf({ botId, service: name }))}
                  >
                    <ServiceMark name={display_name} />
                    <span class="ellipsis">{display_name}</span>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {found.length === 0 && (
        <p class="field-help" role="status">
          {t(
            'No matching integrations. Services that can post JSON work with “JSON”, and services that support Slack work with “Slack”.',
          )}
        </p>
      )}
      <p class="field-help">
        {t(
          'Apprise, shoutrrr, Gatus and Healthchecks need no webhook: set them up as for Zulip, with the email address and API key of a bot.',
        )}
      </p>
    </>
  )
}

/** By category and name; what fits a search best comes first. */
function searched({ categories, integrations }: Catalogue, typed: string): readonly Integration[] {
  const order = (a: Integration, b: Integration) =>
    categories.indexOf(a.category) - categories.indexOf(b.category) ||
    byName(a.display_name, b.display_name)
  if (typed.trim() === '') return [...integrations].sort(order)
  const names = ({ display_name, category }: Integration) => [display_name, category]
  return rank(integrations, typed, { names, order, limit: integrations.length, worst: 3 })
}
