import { Check, Copy } from 'lucide'
import { useState } from 'preact/hooks'
import { CallError } from '#client/api/api.ts'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { copy } from '#client/commands/message-actions.ts'
import { useDraft } from '#client/settings/ui/draft.ts'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import {
  addressesIn,
  emptyInvite,
  type InviteDraft,
  inviteParams,
  minutesOf,
  type Uninvited,
  uninvitedOf,
} from './invite-draft.ts'
import { expiryText, InviteFields } from './invite-fields.tsx'
import { permissionLock } from './rights.ts'

interface InviteDialogProps {
  readonly onClose: () => void
}

/** What the server refused. */
interface Refusal extends Pick<InviteDraft, 'by'> {
  readonly uninvited: readonly Uninvited[]
}

/** Invites people by a link or by mail. Its draft outlives the dialog, until it is sent. */
export function InviteDialog({ onClose }: InviteDialogProps) {
  const app = useApp()
  const kept = useDraft<InviteDraft>('invite')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [link, setLink] = useState<string | undefined>()
  const { store, api } = app
  const locks = {
    link: permissionLock(store, 'create_multiuse_invite_group'),
    mail: store.realm.value.server_can_send_mail
      ? permissionLock(store, 'can_invite_users_group')
      : t('This server does not send email.'),
  }
  const fresh: InviteDraft =
    locks.link && !locks.mail ? { ...emptyInvite, by: 'mail' } : emptyInvite
  const draft = kept.value?.typed ?? fresh
  const lock = locks[draft.by]
  const addresses = addressesIn(draft.addresses)
  const isMail = draft.by === 'mail'
  const isReady = !lock && minutesOf(draft) !== undefined && (!isMail || addresses.length > 0)

  function change(changes: Partial<InviteDraft>): void {
    kept.value = { typed: { ...draft, ...changes }, base: '' }
  }

  async function send(): Promise<void> {
    const params = inviteParams(draft, store.realm.peek().is_admin)
    if (!isMail) {
      const { invite_link } = await api.post<{ invite_link: string }>('/invites/multiuse', params)
      setLink(invite_link)
      return
    }
    await api.post('/invites', {
      ...params,
      invitee_emails: addresses.join(','),
      notify_referrer_on_join: draft.tellsInviter,
    })
    app.notify(tn(addresses.length, 'One invitation was sent.', '{count} invitations were sent.'))
    kept.value = undefined
  }

  async function submit(): Promise<void> {
    setRefusal(undefined)
    try {
      await send()
    } catch (error) {
      const details = error instanceof CallError ? error.details : {}
      const uninvited = uninvitedOf(details.errors)
      setRefusal({ by: draft.by, uninvited })
      // The others have their mail: the remaining addresses have a problem.
      if (details.sent_invitations === true) {
        change({ addresses: uninvited.map(({ address }) => address).join('\n') })
      }
      throw error
    }
  }

  if (link !== undefined) {
    const finish = () => {
      kept.value = undefined
      onClose()
    }
    return <LinkMade link={link} draft={draft} onClose={finish} />
  }
  return (
    <FormDialog
      title={t('Invite people')}
      isAddressed
      action={
        isMail
          ? tn(Math.max(addresses.length, 1), 'Send the invitation', 'Send {count} invitations')
          : t('Create link')
      }
      isInvalid={!isReady}
      isOpenAfterwards={!isMail}
      showsProblem
      onSave={submit}
      onClose={onClose}
    >
      {(_problems, problem) => (
        <>
          <InviteFields
            draft={draft}
            locks={locks}
            uninvited={refusal?.uninvited ?? []}
            onChange={change}
          />
          {refusal?.by === draft.by && problem !== undefined && (
            <div class="invite-refusal">
              <p class="field-problem" role="alert">
                {problem}
              </p>
              {isMail && !locks.link && refusal.uninvited.length === 0 && (
                <Button onClick={() => change({ by: 'link' })}>{t('Create a link instead')}</Button>
              )}
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}

interface LinkMadeProps {
  readonly link: string
  readonly draft: InviteDraft
  readonly onClose: () => void
}

function LinkMade({ link, draft, onClose }: LinkMadeProps) {
  const app = useApp()
  const minutes = minutesOf(draft)
  return (
    <Dialog
      title={t('Invite people')}
      onClose={onClose}
      footer={
        <>
          <Button
            kind="primary"
            icon={Copy}
            onClick={() => void copy(app, link, t('Link copied.'))}
          >
            {t('Copy link')}
          </Button>
          <Button onClick={onClose}>{t('Done')}</Button>
        </>
      }
    >
      <div class="form">
        <p class="invite-done" role="status">
          <Icon node={Check} /> {t('The link is ready. Anyone who has it can join.')}
        </p>
        <Secret text={link} copyLabel={t('Copy link')} />
        {isLoopback(link) && (
          <p class="field-problem">
            {t(
              'Only this computer can open this address. Set the address of the server before you invite others.',
            )}
          </p>
        )}
        <p class="field-help">
          {minutes === null
            ? t('It never expires; you can revoke it under Invitations.')
            : t('It expires in {time}; you can revoke it under Invitations.', {
                time: expiryText(minutes ?? 0),
              })}
        </p>
      </div>
    </Dialog>
  )
}

/** Whether an address means the computer on which it is opened. */
function isLoopback(link: string): boolean {
  return /^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/.test(new URL(link).hostname)
}
