import { Users } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { PresenceDot } from '#client/messages/presence.tsx'
import { Avatar } from '#client/ui/avatar.tsx'
import { Icon } from '#client/ui/icon.tsx'

/** The picture that stands for a direct conversation: of the other, or a sign for several. */
export function DirectFace({ userIds }: { readonly userIds: readonly number[] }) {
  const app = useApp()
  const [only] = userIds
  const user = userIds.length === 1 && only !== undefined ? app.store.users.get(only) : undefined
  if (!user) {
    return (
      <span class="face face-group">
        <Icon node={Users} size={15} />
      </span>
    )
  }
  return (
    <span class="face">
      <Avatar user={user} size={24} />
      {!user.isBot && <PresenceDot userId={user.id} />}
    </span>
  )
}
