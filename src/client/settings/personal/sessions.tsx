import { LogOut, Monitor } from 'lucide'
import type { Session } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { useFetched } from '#client/commands/use-fetched.ts'
import { Button } from '#client/ui/button.tsx'
import { agoText, dayText } from '#client/ui/dates.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

const leaveIcon = pointing(LogOut)

/** The browsers in which the user is logged in. */
export function Sessions() {
  const app = useApp()
  const fetched = useFetched(undefined, () =>
    app.api.get<{ sessions: readonly Session[] }>('/users/me/sessions'),
  )
  const sessions = fetched.value?.sessions ?? []
  async function end(session: Session): Promise<void> {
    if (await attempt(app, app.api.delete(`/users/me/sessions/${session.id}`))) fetched.reload()
  }
  return (
    <section class="setting-group">
      <h4>{t('Where you are logged in')}</h4>
      <Problem text={fetched.problem} />
      <ul class="stack tight">
        {sessions.map((session) => (
          <li key={session.id} class="row loose session">
            <Icon node={Monitor} />
            <span class="grow session-words">
              <span>{session.device_name || t('A browser')}</span>
              <span class="field-help">{timesOf(session)}</span>
            </span>
            {session.is_current ? (
              <span class="field-help">{t('This browser')}</span>
            ) : (
              <Button kind="quiet" onClick={() => void end(session)}>
                {t('Log out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div class="row cluster">
          <Button
            icon={leaveIcon}
            onClick={() =>
              openConfirm({
                title: t('Log out of all other sessions?'),
                text: t(
                  'Every other browser has to log in again, and assistants are disconnected. Programs and apps that use the API key are not affected.',
                ),
                action: t('Log out of all other sessions'),
                run: async () => {
                  await app.api.delete('/users/me/sessions')
                  fetched.reload()
                },
              })
            }
          >
            {t('Log out of all other sessions')}
          </Button>
        </div>
      )}
    </section>
  )
}

function timesOf({ created, last_used }: Session): string {
  const used = t('used {ago}', { ago: agoText(last_used) })
  return created === null ? used : `${t('Logged in: {day}', { day: dayText(created) })}, ${used}`
}
