import { UserPlus } from 'lucide'
import { useSave } from '#client/commands/use-save.ts'
import { ChoicePicker } from '#client/settings/ui/choice-picker.tsx'
import { useDraft } from '#client/settings/ui/draft.ts'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import type { GroupChoice } from '#client/settings/ui/group-value.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { anyGroup } from './any-group.ts'

interface AddPeopleProps {
  readonly label: string
  readonly help: string
  /** For the draft of the choice, which outlives the page. */
  readonly draftKey: string
  /** Who may, where the user may not. */
  readonly locked: string | undefined
  /** The name of the button. */
  readonly action: string
  /** @throws CallError */
  readonly onAdd: (choice: GroupChoice) => Promise<unknown>
}

const nobody: GroupChoice = { members: [], subgroups: [] }

/** People, groups and pasted addresses to add to a channel or group. */
export function AddPeople({ label, help, draftKey, locked, action, onAdd }: AddPeopleProps) {
  const draft = useDraft<GroupChoice>(draftKey)
  const choice = draft.value?.typed ?? nobody
  const saving = useSave(undefined, () => onAdd(choice))
  const isEmpty = choice.members.length + choice.subgroups.length === 0
  async function add(): Promise<void> {
    if (await saving.save(undefined)) draft.value = undefined
  }
  return (
    <FieldFrame
      name="add"
      label={label}
      help={locked === undefined ? help : undefined}
      locked={locked}
      as="group"
      status={saving.status}
    >
      {locked === undefined && (
        <>
          <ChoicePicker
            label={label}
            choice={choice}
            rule={anyGroup}
            nobody={t('No one selected yet')}
            onChange={(typed) => {
              saving.clear()
              draft.value = { typed, base: '' }
            }}
          />
          {!isEmpty && (
            <div class="row cluster draft-buttons">
              <Button
                kind="primary"
                icon={UserPlus}
                isBusy={saving.status.kind === 'saving'}
                onClick={() => void add()}
              >
                {action}
              </Button>
            </div>
          )}
        </>
      )}
    </FieldFrame>
  )
}
