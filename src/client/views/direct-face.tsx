import { useApp } from '#client/app-context.ts'
import { PresenceDot } from '#client/messages/presence.tsx'
import { Avatar } from '#client/ui/avatar.tsx'

interface DirectFaceProps {
  readonly userIds: readonly number[]
  /** In pixels. */
  readonly size?: number
}

/** The picture of a direct conversation: of the other person, or of two of several. */
export function DirectFace({ userIds, size = 24 }: DirectFaceProps) {
  const app = useApp()
  const people = userIds.slice(0, 2).flatMap((id) => app.store.users.get(id) ?? [])
  const [first, second] = people
  const box = { width: `${size}px`, height: `${size}px` }
  if (!first) return <span class="face" style={box} />
  if (second) {
    const part = Math.round(size * 0.68)
    return (
      <span class="face face-pair" style={box}>
        <Avatar user={first} size={part} />
        <Avatar user={second} size={part} />
      </span>
    )
  }
  return (
    <span class="face" style={box}>
      <Avatar user={first} size={size} />
      {!first.isBot && <PresenceDot userId={first.id} />}
    </span>
  )
}
