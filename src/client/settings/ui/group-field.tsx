import type { PermissionRule } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { useSave } from '#client/commands/use-save.ts'
import { ChoiceField } from './choice-field.tsx'
import { ChoicePicker } from './choice-picker.tsx'
import { fingerprint, useDraft } from './draft.ts'
import { DraftButtons } from './draft-buttons.tsx'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import { choiceText, groupName } from './group-names.ts'
import {
  allowedGroups,
  choiceOf,
  chosenValue,
  type GroupChoice,
  type GroupValue,
  sameValue,
} from './group-value.ts'

interface GroupFieldProps extends FieldProps<GroupValue> {
  /** The rule of the permission; undefined for a list of people without groups. */
  readonly rule: PermissionRule | undefined
  /**
   * The key of the draft, if there are several fields with the same name, such as one for each
   * channel.
   */
  readonly draftKey?: string
}

/** The holders of a permission: groups and people, mixed if the permission allows it. */
export function GroupField(props: GroupFieldProps) {
  const { rule } = props
  return rule?.require_system_group ? (
    <SystemGroupField {...props} rule={rule} />
  ) : (
    <Picker {...props} />
  )
}

function SystemGroupField({ rule, ...props }: GroupFieldProps & { readonly rule: PermissionRule }) {
  const { store } = useApp()
  const groups = allowedGroups(store.groups, rule)
  const choices = groups.map((group) => ({ value: group.id, label: groupName(group) }))
  // The current value may be one that can no longer be chosen.
  const isKnown = choices.some(({ value }) => value === props.value)
  const current = { value: -1, label: choiceText(props.value, store) }
  return (
    <ChoiceField
      {...props}
      value={isKnown ? (props.value as number) : -1}
      choices={isKnown ? choices : [current, ...choices]}
      onSave={async (id) => {
        if (id >= 0) await props.onSave(id)
      }}
    />
  )
}

function Picker({ rule, draftKey, value, onSave, ...frame }: GroupFieldProps) {
  const { store } = useApp()
  const draft = useDraft<GroupChoice>(draftKey ?? frame.name)
  const saving = useSave(value, onSave)
  const choice = draft.value?.typed ?? choiceOf(saving.shown, store.groups)
  const next = rule ? chosenValue(choice, store.groups) : choice
  const isChanged = draft.value !== undefined && !sameValue(next, value)
  const isOvertaken = isChanged && draft.value?.base !== fingerprint(value)
  const isEmpty = choice.members.length + choice.subgroups.length === 0

  function choose(typed: GroupChoice): void {
    draft.value = { typed, base: draft.peek()?.base ?? fingerprint(value) }
  }
  async function save(): Promise<void> {
    if (await saving.save(next)) draft.value = undefined
  }

  return (
    <FieldFrame {...frame} as="group" status={saving.status}>
      <ChoicePicker
        label={frame.label}
        choice={choice}
        rule={rule}
        isLocked={frame.locked !== undefined}
        onChange={choose}
      />
      {isChanged && (
        <DraftButtons
          isSaving={saving.status.kind === 'saving'}
          isInvalid={isEmpty && rule?.allow_nobody_group === false}
          meanwhile={isOvertaken ? choiceText(value, store) : undefined}
          onSave={() => void save()}
          onCancel={() => {
            draft.value = undefined
            saving.clear()
          }}
        />
      )}
    </FieldFrame>
  )
}
