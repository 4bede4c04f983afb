import { Component, type ComponentChildren } from 'preact'
import { FailureNote } from './failure-note.tsx'
import { t } from './t.ts'

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
    // For developers: the screen only says that there was an error.
    console.error(error)
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    const problem = t('Something went wrong on this page. What you typed is saved.')
    return <FailureNote problem={problem} retry={() => this.setState({ error: undefined })} />
  }
}
