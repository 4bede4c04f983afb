import { problemIn, useSave } from '#client/commands/use-save.ts'
import { Button } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

interface AddRowProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Adds the typed text. @throws CallError the server's refusal, which is shown below */
  readonly onAdd: () => Promise<unknown>
}

/** One text that is added to a list. It stays if the server refuses it. */
export function AddRow({ label, placeholder, value, onInput, onAdd }: AddRowProps) {
  const saving = useSave(undefined, onAdd)
  const { status } = saving
  return (
    <form
      class="stack tight setting"
      onSubmit={async (event) => {
        event.preventDefault()
        if (value.trim() !== '' && (await saving.save(undefined))) onInput('')
      }}
    >
      <div class="row tight">
        <input
          class="input"
          aria-label={label}
          placeholder={placeholder ?? label}
          value={value}
          onInput={(event) => {
            saving.clear()
            onInput(event.currentTarget.value)
          }}
        />
        <Button type="submit" isBusy={status.kind === 'saving'} disabled={value.trim() === ''}>
          {t('Add')}
        </Button>
      </div>
      <Problem text={problemIn(status)} />
    </form>
  )
}
