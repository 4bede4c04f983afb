import { Plus } from 'lucide'
import { Button } from '#client/ui/button.tsx'
import { LockNote } from './field-frame.tsx'

interface ListHeadProps {
  /** What the list is for. */
  readonly help: string
  /** Why it cannot be changed; undefined: it can. */
  readonly locked: string | undefined
  /** The name of the button that adds to it. */
  readonly add: string
  readonly onAdd: () => void
}

/** The head of a list whose rows are added and changed in dialogs. */
export function ListHead({ help, locked, add, onAdd }: ListHeadProps) {
  return (
    <>
      <p class="field-help">{help}</p>
      <LockNote locked={locked} />
      {locked === undefined && (
        <div>
          <Button kind="primary" icon={Plus} onClick={onAdd}>
            {add}
          </Button>
        </div>
      )}
    </>
  )
}
