import { t } from './t.ts'

export interface Failure {
  /** What went wrong, in words for the user. */
  readonly problem: string
  retry(): void
}

/** Says that something went wrong, with a button that tries it again. */
export function FailureNote({ problem, retry }: Failure) {
  return (
    <div class="failure" role="alert">
      <p>{problem}</p>
      <button type="button" class="button button-primary" onClick={retry}>
        {t('Try again')}
      </button>
    </div>
  )
}
