import { useApp } from '#client/app-context.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import { tn } from '#client/ui/t.ts'

/** How many assistants are connected, for administrators. */
export function AssistantCounts() {
  const app = useApp()
  const isAdministrator = app.store.realm.value.is_admin
  const { value } = useFetched(undefined, async () =>
    isAdministrator ? await app.api.get<{ connections: number }>('/realm/assistants') : undefined,
  )
  if (!value) return null
  return (
    <p class="field-help">
      {tn(value.connections, '1 assistant is connected.', '{count} assistants are connected.')}
    </p>
  )
}
