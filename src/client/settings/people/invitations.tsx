import { Copy, Send } from 'lucide'
import type { Invite } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { copy } from '#client/commands/copy.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import { roleNames } from '#client/lists/roles.ts'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { userName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { dayText, momentText, shortText } from '#client/ui/dates.ts'
import { byFolded } from '#client/ui/fuzzy.ts'
import { pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { InviteButtons } from './invite-buttons.tsx'

const sendIcon = pointing(Send)

/** Invitations that are valid: one's own, and for administrators those of others. */
export function Invitations() {
  const app = useApp()
  const fetched = useFetched('invites', () =>
    app.api.get<{ invites: readonly Invite[] }>('/invites'),
  )
  if (fetched.problem !== undefined) {
    return (
      <div class="stack loose failure" role="alert">
        <p>{fetched.problem}</p>
        <Button onClick={fetched.reload}>{t('Try again')}</Button>
      </div>
    )
  }
  if (!fetched.value) return null
  return (
    <>
      <p class="field-help">
        {app.store.realm.value.is_admin
          ? t("Everyone's open invitations.")
          : t("Your open invitations. Administrators see everyone's.")}
      </p>
      <DataTable
        label={t('Invitations')}
        rows={fetched.value.invites}
        columns={columnsFor(app)}
        keyOf={keyOf}
        words={(invite) => [nameOf(invite), userName(invite.invited_by_user_id, app.store)]}
        sortedBy="invited"
        isDescending
        empty={t('There are no open invitations. Invite people with a link or by email.')}
        tools={<InviteButtons />}
      />
    </>
  )
}

/** Links and mails have numbers of their own. */
function keyOf({ id, is_multiuse }: Invite): string {
  return `${is_multiuse ? 'link' : 'mail'} ${id}`
}

/** Who is invited. */
function nameOf({ id, email }: Invite): string {
  return email ?? t('Link {number}', { number: id })
}

function columnsFor(app: App): readonly Column<Invite>[] {
  const { store } = app
  const clock = store.settings.value
  const inviter = ({ invited_by_user_id }: Invite) => userName(invited_by_user_id, store)
  return [
    {
      id: 'invitee',
      title: t('Who'),
      compare: (a, b) => byFolded(nameOf(a), nameOf(b)),
      cell: nameOf,
    },
    {
      id: 'role',
      title: t('Joins as'),
      isWide: true,
      compare: (a, b) => a.invited_as - b.invited_as,
      cell: ({ invited_as }) => t(roleNames[invited_as]),
    },
    {
      id: 'inviter',
      title: t('Invited by'),
      isWide: true,
      compare: (a, b) => byFolded(inviter(a), inviter(b)),
      cell: inviter,
    },
    {
      id: 'invited',
      title: t('Invited'),
      isWide: true,
      compare: (a, b) => a.invited - b.invited,
      cell: ({ invited }) => dayText(invited),
    },
    {
      id: 'expires',
      title: t('Expires'),
      compare: (a, b) => endOf(a) - endOf(b),
      cell: ({ expiry_date }) =>
        expiry_date === null ? (
          t('Never')
        ) : (
          <span title={momentText(expiry_date, clock)}>{shortText(expiry_date, clock)}</span>
        ),
    },
    {
      id: 'actions',
      title: t('Actions'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (invite) => <InviteActions invite={invite} />,
    },
  ]
}

function endOf({ expiry_date }: Invite): number {
  return expiry_date ?? Number.POSITIVE_INFINITY
}

function InviteActions({ invite }: { readonly invite: Invite }) {
  const app = useApp()
  const { id, link_url, is_multiuse } = invite
  const name = nameOf(invite)
  const resend = async () => {
    const done = await attempt(app, app.api.post(`/invites/${id}/resend`))
    if (done) app.notify(t('The invitation to {name} was sent again.', { name }))
  }
  return (
    <span class="row-actions">
      {link_url !== undefined && (
        <IconButton
          label={t('Copy {name}', { name })}
          icon={Copy}
          size={16}
          onClick={() => void copy(app, link_url, t('Link copied.'))}
        />
      )}
      {!is_multiuse && (
        <IconButton
          label={t('Send the invitation to {name} again', { name })}
          icon={sendIcon}
          size={16}
          onClick={() => void resend()}
        />
      )}
      <AskingButton
        label={t('Revoke {name}', { name })}
        title={t('Revoke the invitation?')}
        text={
          is_multiuse
            ? t('The link stops working. People who already joined are not affected.')
            : t('{name} can no longer join with it.', { name })
        }
        action={t('Revoke')}
        run={() => app.api.delete(is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`)}
      />
    </span>
  )
}
