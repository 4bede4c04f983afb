import { type Failure, FailureNote } from '#client/ui/failure-note.tsx'
import { t } from '#client/ui/t.ts'

interface Loading {
  /** Why it takes longer, in words for the user. */
  readonly problem?: string
}

/** The screen until the first registration has arrived. */
export function LoadingScreen({ problem }: Loading) {
  return (
    <main class="start-screen" aria-busy="true">
      <p role="status">{problem ?? t('Loading…')}</p>
    </main>
  )
}

/** The screen after the client could not start or continue. */
export function FailureScreen(failure: Failure) {
  return (
    <main class="start-screen">
      <FailureNote {...failure} />
    </main>
  )
}
