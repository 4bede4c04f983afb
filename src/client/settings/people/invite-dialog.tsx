import { Check, Copy } from 'lucide'
import { useState } from 'preact/hooks'
import { CallError } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { copy } from '#client/commands/copy.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { type FormDraft, useFormDraft } from '#client/settings/ui/form-draft.ts'
import { LinkCode } from '#client/settings/ui/link-code.tsx'
import { LoopbackInvitation } from '#client/settings/ui/loopback-note.tsx'
import { Secret } from '#client/settings/ui/secret.tsx'
import type { Store } from '#client/state/store.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
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
import { expiryText, InviteFields, type InviteLocks } from './invite-fields.tsx'
import { permissionLock } from './rights.ts'

interface InviteDialogProps {
  readonly onClose: () => void
}

/** Invites people by a link or by mail. Its draft outlives the dialog, until it is sent. */
export function InviteDialog({ onClose }: InviteDialogProps) {
  const { store } = useApp()
  const locks = inviteLocks(store)
  const by = locks.link && !locks.mail ? 'mail' : 'link'
  const draft = useFormDraft<InviteDraft>('invite', { ...emptyInvite, by })
  const [link, setLink] = useState<string | undefined>()
  if (link === undefined) {
    return <InviteForm draft={draft} locks={locks} onLink={setLink} onClose={onClose} />
  }
  const finish = () => {
    draft.clear()
    onClose()
  }
  return <LinkMade link={link} invite={draft.values} onClose={finish} />
}

function inviteLocks(store: Store): InviteLocks {
  return {
    link: permissionLock(store, 'create_multiuse_invite_group'),
    mail: store.realm.value.server_can_send_mail
      ? permissionLock(store, 'can_invite_users_group')
      : t('This server does not send email.'),
  }
}

interface InviteFormProps {
  readonly draft: FormDraft<InviteDraft>
  readonly locks: InviteLocks
  readonly onLink: (link: string) => void
  readonly onClose: () => void
}

/** What the server refused. */
interface Refusal extends Pick<InviteDraft, 'by'> {
  readonly uninvited: readonly Uninvited[]
}

function InviteForm({ draft, locks, onLink, onClose }: InviteFormProps) {
  const app = useApp()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const invite = draft.values
  const count = addressesIn(invite.addresses).length
  const isMail = invite.by === 'mail'
  const isReady = !locks[invite.by] && minutesOf(invite) !== undefined && (!isMail || count > 0)

  async function submit(): Promise<void> {
    setRefusal(undefined)
    try {
      if (isMail) await sendMails(app, draft)
      else onLink(await makeLink(app, invite))
    } catch (error) {
      const details = error instanceof CallError ? error.details : {}
      const uninvited = uninvitedOf(details.errors)
      setRefusal({ by: invite.by, uninvited })
      // The others have their mail: the remaining addresses have a problem.
      if (details.sent_invitations === true) {
        draft.change({ addresses: uninvited.map(({ address }) => address).join('\n') })
      }
      throw error
    }
  }

  const drawProblem = (problem: string) =>
    refusal?.by === invite.by && (
      <div class="stack invite-refusal">
        <Problem text={problem} />
        {isMail && !locks.link && refusal.uninvited.length === 0 && (
          <Button onClick={() => draft.change({ by: 'link' })}>{t('Create a link instead')}</Button>
        )}
      </div>
    )

  return (
    <FormDialog
      title={t('Invite people')}
      isAddressed
      action={
        isMail
          ? tn(Math.max(count, 1), 'Send the invitation', 'Send {count} invitations')
          : t('Create link')
      }
      isInvalid={!isReady}
      isOpenAfterwards={!isMail}
      drawProblem={drawProblem}
      onSave={submit}
      onClose={onClose}
    >
      <InviteFields draft={draft} locks={locks} uninvited={refusal?.uninvited ?? []} />
    </FormDialog>
  )
}

/** @throws CallError */
async function makeLink({ api, store }: App, invite: InviteDraft): Promise<string> {
  const params = inviteParams(invite, store.realm.peek().is_admin)
  const { invite_link } = await api.post<{ invite_link: string }>('/invites/multiuse', params)
  return invite_link
}

/** @throws CallError */
async function sendMails(app: App, draft: FormDraft<InviteDraft>): Promise<void> {
  const invite = draft.values
  const addresses = addressesIn(invite.addresses)
  await app.api.post('/invites', {
    ...inviteParams(invite, app.store.realm.peek().is_admin),
    invitee_emails: addresses.join(','),
    notify_referrer_on_join: invite.tellsInviter,
  })
  app.notify(tn(addresses.length, 'One invitation was sent.', '{count} invitations were sent.'))
  draft.clear()
}

interface LinkMadeProps {
  readonly link: string
  readonly invite: InviteDraft
  readonly onClose: () => void
}

function LinkMade({ link, invite, onClose }: LinkMadeProps) {
  const app = useApp()
  const minutes = minutesOf(invite)
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
        <p class="row invite-done" role="status">
          <Icon node={Check} /> {t('The link is ready. Anyone who has it can join.')}
        </p>
        <Secret text={link} copyLabel={t('Copy link')} isOneLine />
        <LoopbackInvitation link={link} />
        <LinkCode link={link} />
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
