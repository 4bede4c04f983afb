import { Bot } from 'lucide'
import type { User } from '#client/state/model.ts'
import { initials } from '#shared/initials.ts'
import { Icon } from './icon.tsx'

interface AvatarProps {
  readonly user: Pick<User, 'name' | 'avatarUrl'> & { readonly isBot?: boolean }
  /** In pixels. */
  readonly size?: number
}

/** The picture of a user. Hidden from assistive technology, because the name is beside it. */
export function Avatar({ user, size = 36 }: AvatarProps) {
  const face = faceOf(user.avatarUrl)
  return (
    <span class={`avatar avatar-${size}`} aria-hidden="true">
      {face === undefined ? (
        // The attributes are set in this order, and a picture that has a source is loaded immediately.
        <img
          loading="lazy"
          decoding="async"
          alt=""
          width={size}
          height={size}
          src={user.avatarUrl}
        />
      ) : (
        <span
          class={`avatar-initials avatar-face-${face}`}
          style={{
            width: `${size}px`,
            height: `${size}px`,
            fontSize: `${Math.round(size * 0.4)}px`,
          }}
          data-initials={size < leastLettered ? undefined : initials(user.name)}
        />
      )}
      {user.isBot && size >= 28 && (
        <span class="avatar-badge">
          <Icon node={Bot} size={12} />
        </span>
      )}
    </span>
  )
}

/** Smaller pictures are colours only: their letters could not be read. In pixels. */
const leastLettered = 20

/** How many gradients there are (`shared/tokens.ts`), which the client has as classes only. */
const faces = 12

/**
 * The gradient behind a user's initials; undefined: they uploaded a picture. The address of drawn
 * pictures contains the user's ID.
 */
export function faceOf(avatarUrl: string): number | undefined {
  if (avatarUrl === '') return 0
  const drawn = /^\/user_avatars\/(\d+)\.png/.exec(avatarUrl)
  return drawn ? Number(drawn[1]) % faces : undefined
}
