import { useApp } from '#client/app-context.ts'
import type { User } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { t } from '#client/ui/t.ts'
import { openPersonPage } from './open-person.tsx'

interface PersonLinkProps {
  readonly user: User
  /** With their picture. */
  readonly hasPicture?: boolean
}

/** Someone's name, which opens their page above the one that is open. */
export function PersonLink({ user, hasPicture }: PersonLinkProps) {
  const app = useApp()
  return (
    <a
      class="row person-link"
      href={app.router.href({ kind: 'user', userId: user.id })}
      onClick={(event) => {
        // Other windows open at the address.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        openPersonPage(app, user.id)
      }}
    >
      {hasPicture && <Avatar user={user} size={24} />}
      <span class="ellipsis">{user.name}</span>
      {user.id === app.store.selfId && <span class="field-help">{t('(you)')}</span>}
    </a>
  )
}
