import { signal } from '@preact/signals'
import { Link } from 'lucide'
import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { emptyInvite, inviteParams, minutesOf } from '#client/settings/people/invite-draft.ts'
import { expiryText } from '#client/settings/people/invite-fields.tsx'
import { openInvite } from '#client/settings/people/open-invite.ts'
import { LinkCode } from '#client/settings/ui/link-code.tsx'
import { LoopbackInvitation } from '#client/settings/ui/loopback-note.tsx'
import { Secret } from '#client/settings/ui/secret.tsx'
import { Button } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

/** The link once it is made: going back and forth makes no second one. */
const made = signal<string | undefined>(undefined)

/** A link that lets others in, which is made immediately. */
export function Invitation() {
  const app = useApp()
  const making = useSave(undefined, async () => {
    const params = inviteParams(emptyInvite, true)
    const { invite_link } = await app.api.post<{ invite_link: string }>('/invites/multiuse', params)
    made.value = invite_link
  })
  useEffect(() => {
    if (made.peek() === undefined) void making.save(undefined)
  }, [])
  const { status } = making
  const problem = problemIn(status)
  return (
    <>
      {made.value === undefined ? (
        !problem && <p class="field-help">{t('The link is being made…')}</p>
      ) : (
        <>
          <Secret text={made.value} copyLabel={t('Copy link')} isOneLine />
          <LoopbackInvitation link={made.value} />
          <LinkCode link={made.value} />
          <p class="field-help">
            {t('It expires in {time}; you can revoke it under Invitations.', {
              time: expiryText(minutesOf(emptyInvite) ?? 0),
            })}
          </p>
        </>
      )}
      <Problem text={problem} />
      <div class="row cluster">
        {problem && (
          <Button icon={Link} onClick={() => void making.save(undefined)}>
            {t('Create link')}
          </Button>
        )}
        <Button kind="quiet" onClick={() => openInvite(app)}>
          {t('Other ways to invite')}
        </Button>
      </div>
    </>
  )
}
