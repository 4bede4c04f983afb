import { useApp } from '#client/app-context.ts'
import { IconButton } from '#client/ui/button.tsx'
import { callChoices, canCall, startDirectCall } from './start-call.ts'

interface DirectCallButtonsProps {
  readonly userIds: readonly number[]
}

/** Buttons beside the name of a direct conversation that start a call there. */
export function DirectCallButtons({ userIds }: DirectCallButtonsProps) {
  const app = useApp()
  if (!canCall(app, userIds)) return null
  return (
    <span class="head-actions head-wide">
      {callChoices(app).map(({ kind, label, icon }) => (
        <IconButton
          key={kind}
          label={label}
          icon={icon}
          onClick={() => void startDirectCall(app, userIds, kind)}
        />
      ))}
    </span>
  )
}
