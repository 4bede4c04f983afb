import { Mail, UserPlus } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { openNewAccount } from './new-account-dialog.tsx'
import { openInvite } from './open-invite.ts'
import { permissionLock } from './rights.ts'

/** The buttons to invite people, or the people who may. */
export function InviteButtons() {
  const app = useApp()
  const { store } = app
  const lock =
    permissionLock(store, 'create_multiuse_invite_group') &&
    permissionLock(store, 'can_invite_users_group')
  return (
    <>
      {lock ? (
        <p class="field-help">{t('You are not allowed to invite people. {who}', { who: lock })}</p>
      ) : (
        <Button kind="primary" icon={Mail} onClick={() => openInvite(app)}>
          {t('Invite people')}
        </Button>
      )}
      {store.realm.value.is_admin && (
        <Button icon={UserPlus} onClick={openNewAccount}>
          {t('Create account')}
        </Button>
      )}
    </>
  )
}
