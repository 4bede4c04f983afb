import { KeyRound, UserX } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { goToLogin } from '#client/commands/leaving.ts'
import { lockOf, UserSettingGroups } from '#client/settings/setting.tsx'
import { TextField } from '#client/settings/ui/text-field.tsx'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { openApiKeyDialog } from './api-key-dialog.tsx'
import { ChannelAddresses } from './channel-addresses.tsx'
import { openPasswordDialog } from './password-dialog.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

/** The user's credentials and privacy. */
export function Account() {
  const app = useApp()
  const { store, api } = app
  const realm = store.realm.value
  return (
    <>
      <section class="setting-group">
        <h4>{t('Account')}</h4>
        <TextField
          name="email"
          label={t('Email address')}
          type="email"
          value={realm.delivery_email}
          isRequired
          help={
            realm.server_can_send_mail
              ? t('A new address takes effect once you open the link in the email we send to it.')
              : t('A new address takes effect at once, because this server does not send email.')
          }
          locked={realm.realm_email_changes_disabled ? lockOf(app) : undefined}
          onSave={(email) => api.patch('/settings', { email: email.trim() })}
        />
        <div class="row cluster">
          <Button icon={KeyRound} onClick={openPasswordDialog}>
            {t('Change password')}
          </Button>
          <Button icon={KeyRound} onClick={openApiKeyDialog}>
            {t('Show API key')}
          </Button>
        </div>
      </section>
      <TwoFactor />
      <Sessions />
      <ChannelAddresses />
      <UserSettingGroups section="account-and-privacy" />
      <Deactivation />
    </>
  )
}

function Deactivation() {
  const { api } = useApp()
  return (
    <section class="setting-group">
      <h4>{t('Leave')}</h4>
      <p class="field-help">
        {t(
          'A deactivated account cannot log in. Its messages stay. An administrator can reactivate it.',
        )}
      </p>
      <div class="row cluster">
        <Button
          kind="danger"
          icon={UserX}
          onClick={() =>
            openConfirm({
              title: t('Deactivate your account?'),
              text: t(
                'You will be logged out everywhere, your bots stop, and you cannot reactivate your account yourself.',
              ),
              action: t('Deactivate account'),
              run: async () => {
                await api.delete('/users/me')
                goToLogin()
              },
            })
          }
        >
          {t('Deactivate account')}
        </Button>
      </div>
    </section>
  )
}
