import type { App } from '#client/app.ts'
import { byName } from '#client/state/names.ts'
import { Avatar } from '#client/ui/avatar.tsx'

interface PeopleRowsProps {
  readonly app: App
  readonly userIds: readonly number[]
  /** Called when someone is chosen and their profile opens. */
  readonly onLeave: () => void
}

/**
 * People by their names, each a link to their profile. Leaves out people whom the user may not see.
 */
export function PeopleRows({ app, userIds, onLeave }: PeopleRowsProps) {
  const users = userIds
    .map((id) => app.store.users.get(id))
    .filter((user) => user !== undefined)
    .sort((a, b) => byName(a.name, b.name))
  return (
    <ul class="people-rows">
      {users.map((user) => (
        <li key={user.id}>
          <a
            class="row person-row"
            href={app.router.href({ kind: 'user', userId: user.id })}
            onClick={onLeave}
          >
            <Avatar user={user} size={24} />
            <span class="ellipsis">{user.name}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
