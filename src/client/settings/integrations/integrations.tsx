import { useApp } from '#client/app-context.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import type { SectionProps } from '#client/settings/section.ts'
import { FailureNote } from '#client/ui/failure-note.tsx'
import { integrationsPageOf } from './addresses.ts'
import { type Catalogue, IntegrationList } from './integration-list.tsx'
import { IntegrationPage } from './integration-page.tsx'

/** All services whose webhooks the server accepts, or one of them with how to set it up. */
export function Integrations({ path }: SectionProps) {
  const { api } = useApp()
  const fetched = useFetched(undefined, () => api.get<Catalogue>('/integrations'))
  if (!fetched.value) {
    if (fetched.problem === undefined) return null
    return <FailureNote problem={fetched.problem} retry={fetched.reload} />
  }
  const { botId, service: name } = integrationsPageOf(path)
  const service = fetched.value.integrations.find((each) => each.name === name)
  if (!service) return <IntegrationList catalogue={fetched.value} botId={botId} />
  return <IntegrationPage key={service.name} service={service} botId={botId} />
}
