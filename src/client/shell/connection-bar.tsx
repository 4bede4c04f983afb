import { useSignal } from '@preact/signals'
import { CloudOff, LoaderCircle } from 'lucide'
import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { goToLogin } from '#client/commands/leaving.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'

/** How long a lost connection may take to come back before anything is said, in milliseconds. */
const patience = 2000

/** Shows the state of the connection to the server, if there is a problem. */
export function ConnectionBar() {
  const app = useApp()
  const connection = app.machine.connection.value
  const now = useSignal(Date.now())
  const isLost = connection.state !== 'connected'
  useEffect(() => {
    if (!isLost) return
    now.value = Date.now()
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1000)
    return () => clearInterval(timer)
  }, [isLost])

  return (
    <div class="connection" role="status">
      {connection.state === 'offline' && (
        <p class="row connection-bar">
          <Icon node={CloudOff} size={16} />
          {t('You are offline. What you write is saved and sent once you are back online.')}
        </p>
      )}
      {connection.state === 'logged-out' && (
        <p class="row connection-bar">
          {t('You are logged out. What you wrote is saved.')}
          <Button onClick={goToLogin}>{t('Log in')}</Button>
        </p>
      )}
      {connection.state === 'reconnecting' && now.value - connection.since > patience && (
        <p class="row connection-bar">
          <Icon node={LoaderCircle} size={16} class="spin" />
          {connection.nextTry > now.value
            ? tn(
                Math.ceil((connection.nextTry - now.value) / 1000),
                'The server cannot be reached. Next try in one second.',
                'The server cannot be reached. Next try in {count} seconds.',
              )
            : t('Connecting to the server…')}
          <Button kind="quiet" onClick={() => app.machine.wake()}>
            {t('Try now')}
          </Button>
        </p>
      )}
    </div>
  )
}
