import { Component, type ComponentChildren } from 'preact'
import { type Failure, FailureNote } from '#client/ui/failure-note.tsx'
import { t } from '#client/ui/t.ts'

interface Loading {
  /** Why it takes longer, in words for the user. */
  readonly problem?: string
}

/** What is shown until the first registration has arrived. */
export function LoadingScreen({ problem }: Loading) {
  return (
    <main class="start-screen" aria-busy="true">
      <p role="status">{problem ?? t('Loading…')}</p>
    </main>
  )
}

/** What is shown where the client could not start, or could not go on. */
export function FailureScreen(failure: Failure) {
  return (
    <main class="start-screen">
      <FailureNote {...failure} />
    </main>
  )
}

interface Caught {
  readonly error: unknown
}

/** Keeps a mistake in one part of the screen from leaving all of it empty. */
export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, Caught> {
  override state: Caught = { error: undefined }

  static override getDerivedStateFromError(error: unknown): Caught {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    // For whoever looks for the cause: the screen says only that there is one.
    console.error(error)
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    const problem = t('Something in this page broke. What you typed is kept.')
    return <FailureNote problem={problem} retry={() => this.setState({ error: undefined })} />
  }
}
