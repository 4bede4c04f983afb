import { useApp } from '#client/app-context.ts'
import { IconButton } from '#client/ui/button.tsx'
import { callServer } from './calls.ts'
import { callChoices, canCall, insertCall, startDirectCall } from './start-call.ts'

interface ComposeCallButtonsProps {
  readonly disabled: boolean
}

/** Buttons of the compose box that add the link to a new call to the message. */
export function ComposeCallButtons({ disabled }: ComposeCallButtonsProps) {
  const app = useApp()
  if (callServer(app.store.realm.value) === undefined) return null
  return (
    <>
      {callChoices(app).map(({ kind, label, icon }) => (
        <IconButton
          key={kind}
          label={label}
          icon={icon}
          disabled={disabled}
          onClick={() => void insertCall(app, kind)}
        />
      ))}
    </>
  )
}

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
