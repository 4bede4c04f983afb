import { t } from './t.ts'

export interface Failure {
  /** The error in words for the user. */
  readonly problem: string
  retry(): void
}

/** Shows an error, with a button to try again. */
export function FailureNote({ problem, retry }: Failure) {
  return (
    <div class="stack loose failure" role="alert">
      <p>{problem}</p>
      <button type="button" class="button button-primary" onClick={retry}>
        {t('Try again')}
      </button>
    </div>
  )
}
