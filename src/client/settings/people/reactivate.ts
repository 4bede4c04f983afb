import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import type { User } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'

/** Makes an account usable again, with the role, channels and groups it had. */
export async function reactivate(app: App, { id, name }: User): Promise<void> {
  const done = await attempt(app, app.api.post(`/users/${id}/reactivate`))
  if (done) app.notify(t('{name} is reactivated.', { name }))
}
