import { KeyRound, ShieldCheck, ShieldOff } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import type { Confirmation } from '#client/settings/ui/ask-password.tsx'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { openRecoveryCodes, openSetup, openSwitchOff } from './two-factor-dialogs.tsx'

interface State {
  readonly enabled: boolean
  readonly required: boolean
  readonly recovery_codes_left: number
  readonly confirmation: Confirmation
}

/** The setting of two-factor authentication. */
export function TwoFactor() {
  const { api } = useApp()
  const { value, problem, reload } = useFetched(undefined, () =>
    api.get<State>('/users/me/two_factor'),
  )
  return (
    <section class="setting-group">
      <h4>{t('Two-factor authentication')}</h4>
      {problem !== undefined && <p class="field-problem">{problem}</p>}
      {value && (
        <>
          <p class="field-help">
            {value.enabled
              ? t(
                  'On: logging in with your password also requires a code from your app. {count} recovery codes are left.',
                  {
                    count: value.recovery_codes_left,
                  },
                )
              : t(
                  'Off: your password is enough to log in. With an authenticator app, you also need a code.',
                )}
          </p>
          <div class="row cluster">
            {value.enabled ? (
              <>
                <Button
                  icon={KeyRound}
                  onClick={() => openRecoveryCodes(value.confirmation, reload)}
                >
                  {t('New recovery codes')}
                </Button>
                <Button
                  icon={ShieldOff}
                  kind="danger"
                  onClick={() => openSwitchOff(value.confirmation, reload)}
                >
                  {t('Switch off')}
                </Button>
              </>
            ) : (
              <Button icon={ShieldCheck} onClick={() => openSetup(value.confirmation, reload)}>
                {t('Set up')}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  )
}
