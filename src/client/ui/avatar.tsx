import { Bot } from 'lucide'
import type { User } from '#client/state/model.ts'
import { Icon } from './icon.tsx'

interface AvatarProps {
  readonly user: Pick<User, 'name' | 'avatarUrl'> & { readonly isBot?: boolean }
  /** In pixels. */
  readonly size?: number
}

/** Somebody's picture. Says nothing to assistive technology: the name stands beside it. */
export function Avatar({ user, size = 36 }: AvatarProps) {
  return (
    <span class={`avatar avatar-${size}`} aria-hidden="true">
      {user.avatarUrl ? (
        // The attributes are set in this order, and a picture that has a source is loaded at once.
        <img
          loading="lazy"
          decoding="async"
          alt=""
          width={size}
          height={size}
          src={user.avatarUrl}
        />
      ) : (
        <span class="avatar-initials">{initials(user.name)}</span>
      )}
      {user.isBot && size >= 28 && (
        <span class="avatar-badge">
          <Icon node={Bot} size={12} />
        </span>
      )}
    </span>
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
