import { ArrowDown, ArrowUp, Plus, X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormCheck, FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { useFormDraft } from '#client/settings/ui/form-draft.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t, tSent } from '#client/ui/t.ts'
import {
  accountType,
  type FieldOption,
  type FieldSite,
  listType,
  notInSummary,
  optionsOf,
  optionsToWire,
  ownSite,
  type ProfileField,
  siteOf,
  siteToWire,
  withNewOption,
} from './field-data.ts'

/** Opens the form of a custom profile field. @param id undefined for a new one */
export function openFieldDialog(id: number | undefined): void {
  openSurface((close) => <FieldDialog id={id} onClose={close} />)
}

interface FieldDialogProps {
  readonly id: number | undefined
  readonly onClose: () => void
}

function FieldDialog({ id, onClose }: FieldDialogProps) {
  const { store, api } = useApp()
  const realm = store.realm.value
  const field = realm.custom_profile_fields.find((each) => each.id === id)
  const types = Object.values(realm.custom_profile_field_types)
  const draft = useFormDraft(`profile field ${id}`, {
    type: field?.type ?? types[0]?.id ?? 1,
    name: field?.name ?? '',
    hint: field?.hint ?? '',
    options: firstOptions(field),
    site: firstSite(field, realm.realm_default_external_accounts),
    isInSummary: field?.display_in_profile_summary ?? false,
    isRequired: field?.required ?? false,
    isEditable: field?.editable_by_user ?? true,
  })
  const { type, name, hint, options, site, isInSummary, isRequired, isEditable } = draft.values
  // The server names these itself.
  const isKnownSite = type === accountType && site.subtype !== ownSite && !field
  const mayBeInSummary = !notInSummary.includes(type)

  const changes = {
    ...(!isKnownSite && { name: name.trim(), hint }),
    ...(type === listType && { field_data: optionsToWire(options) }),
    ...(type === accountType && { field_data: siteToWire(site) }),
    display_in_profile_summary: isInSummary && mayBeInSummary,
    required: isRequired,
    editable_by_user: isEditable,
  }
  return (
    <FormDialog
      title={field ? t('Change {name}', { name: field.name }) : t('Add a field')}
      action={field ? t('Save') : t('Add')}
      draft={draft}
      parameters={['name', 'hint', 'field_data', 'display_in_profile_summary']}
      onSave={() =>
        id === undefined
          ? api.post('/realm/profile_fields', { field_type: type, ...changes })
          : api.patch(`/realm/profile_fields/${id}`, changes)
      }
      onClose={onClose}
    >
      {(problems) => (
        <>
          {!field && (
            <FormChoice
              label={t('Type')}
              value={String(type)}
              choices={types.map((each) => ({ value: String(each.id), label: tSent(each.name) }))}
              onChange={(chosen) => draft.change({ type: Number(chosen) })}
            />
          )}
          {type === accountType && (
            <SiteFields site={site} onChange={draft.set('site')} problem={problems.field_data} />
          )}
          {!isKnownSite && (
            <>
              <FormText
                label={t('Name')}
                problem={problems.name}
                {...draft.text('name')}
                isRequired
              />
              <FormText
                label={t('Hint')}
                help={t('Shown next to the field when people fill it in.')}
                problem={problems.hint}
                {...draft.text('hint')}
              />
            </>
          )}
          {type === listType && (
            <OptionFields
              options={options}
              onChange={draft.set('options')}
              problem={problems.field_data}
            />
          )}
          {isKnownSite && problems.name && (
            <p class="field-problem" role="alert">
              {problems.name}
            </p>
          )}
          <FormCheck
            label={t('Required: people are asked to fill it in')}
            isChecked={isRequired}
            onChange={draft.set('isRequired')}
          />
          <FormCheck
            label={t('Users can edit it themselves')}
            isChecked={isEditable}
            onChange={draft.set('isEditable')}
          />
          {mayBeInSummary && (
            <FormCheck
              label={t('Show on user card')}
              problem={problems.display_in_profile_summary}
              isChecked={isInSummary}
              onChange={draft.set('isInSummary')}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function firstOptions(field: ProfileField | undefined): readonly FieldOption[] {
  return field?.type === listType ? optionsOf(field) : withNewOption(withNewOption([]))
}

function firstSite(field: ProfileField | undefined, sites: object): FieldSite {
  if (field?.type === accountType) return siteOf(field)
  return { subtype: Object.keys(sites)[0] ?? ownSite, urlPattern: '' }
}

interface SiteFieldsProps {
  readonly site: FieldSite
  readonly onChange: (site: FieldSite) => void
  readonly problem: string | undefined
}

function SiteFields({ site, onChange, problem }: SiteFieldsProps) {
  const { store } = useApp()
  const sites = Object.entries(store.realm.value.realm_default_external_accounts)
  const isOwn = site.subtype === ownSite
  return (
    <>
      <FormChoice
        label={t('Site')}
        problem={isOwn ? undefined : problem}
        value={site.subtype}
        choices={[
          ...sites.map(([value, { text }]) => ({ value, label: text })),
          { value: ownSite, label: t('Another one') },
        ]}
        onChange={(subtype) => onChange({ ...site, subtype })}
      />
      {isOwn && (
        <FormText
          label={t('Account URL template')}
          help={t('{placeholder} is replaced by the username.', {
            placeholder: '%(username)s',
          })}
          problem={problem}
          placeholder="https://example.com/%(username)s"
          value={site.urlPattern}
          onInput={(urlPattern) => onChange({ ...site, urlPattern })}
          isCode
          isRequired
        />
      )}
    </>
  )
}

interface OptionFieldsProps {
  readonly options: readonly FieldOption[]
  readonly onChange: (options: readonly FieldOption[]) => void
  readonly problem: string | undefined
}

function OptionFields({ options, onChange, problem }: OptionFieldsProps) {
  const swap = (at: number, by: number) => {
    const next = [...options]
    const [moving] = next.splice(at, 1)
    if (moving) next.splice(at + by, 0, moving)
    onChange(next)
  }
  return (
    <fieldset class="field">
      <legend class="field-label">{t('Options')}</legend>
      {options.map(({ key, text }, index) => (
        <div key={key} class="option-row">
          <input
            class="input"
            aria-label={t('Option {count}', { count: index + 1 })}
            value={text}
            onInput={({ currentTarget }) =>
              onChange(
                options.map((each) =>
                  each.key === key ? { key, text: currentTarget.value } : each,
                ),
              )
            }
          />
          <IconButton
            label={t('Move up: {name}', { name: text })}
            icon={ArrowUp}
            size={16}
            disabled={index === 0}
            onClick={() => swap(index, -1)}
          />
          <IconButton
            label={t('Move down: {name}', { name: text })}
            icon={ArrowDown}
            size={16}
            disabled={index === options.length - 1}
            onClick={() => swap(index, 1)}
          />
          <IconButton
            label={t('Remove {name}', { name: text })}
            icon={X}
            size={16}
            onClick={() => onChange(options.filter((each) => each.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => onChange(withNewOption(options))}>
          {t('Another option')}
        </Button>
      </div>
      <p class="field-help">{t('People who selected an option that you remove will lose it.')}</p>
      <Problem text={problem} />
    </fieldset>
  )
}
