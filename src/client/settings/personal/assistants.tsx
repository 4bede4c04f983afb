import { Unplug } from 'lucide'
import type { ConnectedAssistant } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import { LoopbackNote } from '#client/settings/ui/loopback-note.tsx'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button } from '#client/ui/button.tsx'
import { agoText, dayText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

interface Assistants {
  readonly assistants: readonly ConnectedAssistant[]
  readonly url: string
  readonly may_connect: boolean
}

/** The assistants that act for the user, and the address that connects another one. */
export function ConnectedAssistants() {
  const app = useApp()
  const fetched = useFetched(undefined, () => app.api.get<Assistants>('/users/me/assistants'))
  const { assistants = [], url, may_connect: mayConnect } = fetched.value ?? {}
  async function end({ id, name }: ConnectedAssistant): Promise<void> {
    if (!(await attempt(app, app.api.delete(`/users/me/assistants/${id}`)))) return
    app.notify(t('{name} was disconnected.', { name }))
    fetched.reload()
  }
  return (
    <>
      <section class="setting-group">
        <h4>{t('Connect an assistant')}</h4>
        <p class="field-help">
          {t(
            'Assistants that speak the Model Context Protocol can read and write here for you, within your rights. Add this address in the assistant; it then opens this browser to ask you.',
          )}
        </p>
        <Problem text={fetched.problem} />
        {mayConnect === false && (
          <p class="field-problem">
            {t('You are not among the people who can connect assistants.')}
          </p>
        )}
        {url !== undefined && (
          <>
            <Secret text={url} copyLabel={t('Copy the address')} isOneLine />
            <LoopbackNote
              link={url}
              text={t('Only assistants on this computer can use this address.')}
            />
          </>
        )}
      </section>
      <section class="setting-group">
        <h4>{t('Connected assistants')}</h4>
        {fetched.value && assistants.length === 0 && (
          <p class="field-help">{t('None is connected.')}</p>
        )}
        <ul class="stack tight">
          {assistants.map((assistant) => (
            <li key={assistant.id} class="row loose session">
              <Icon node={Unplug} />
              <span class="grow session-words">
                <bdi>{assistant.name}</bdi>
                <span class="field-help">{factsOf(assistant)}</span>
              </span>
              <Button kind="quiet" onClick={() => void end(assistant)}>
                {t('Disconnect')}
              </Button>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function factsOf({ may_write: mayWrite, created, last_used: used }: ConnectedAssistant): string {
  return [
    mayWrite ? t('Reads and writes') : t('Read only'),
    t('connected: {day}', { day: dayText(created) }),
    used === null ? t('never used') : t('used {ago}', { ago: agoText(used) }),
  ].join(', ')
}
