import { ArrowDown, ArrowUp, Plus, X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { type Choice, FormCheck, FormChoice, FormText } from '#client/commands/form-fields.tsx'
import { useProblem } from '#client/commands/refusal.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { type FormDraft, useFormDraft } from '#client/settings/ui/form-draft.ts'
import type { Realm } from '#client/state/store.ts'
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

interface FieldValues {
  readonly type: number
  readonly name: string
  readonly hint: string
  readonly options: readonly FieldOption[]
  readonly site: FieldSite
  readonly isInSummary: boolean
  readonly isRequired: boolean
  readonly isEditable: boolean
}

interface FieldDialogProps {
  readonly id: number | undefined
  readonly onClose: () => void
}

function FieldDialog({ id, onClose }: FieldDialogProps) {
  const { store, api } = useApp()
  const realm = store.realm.value
  const field = realm.custom_profile_fields.find((each) => each.id === id)
  const draft = useFormDraft(`profile field ${id}`, firstValues(field, realm))
  const { type, site } = draft.values
  // The server names these itself.
  const isKnownSite = type === accountType && site.subtype !== ownSite && !field
  const changes = changesOf(draft.values, isKnownSite)
  return (
    <FormDialog
      title={field ? t('Change {name}', { name: field.name }) : t('Add a field')}
      action={field ? t('Save') : t('Add')}
      draft={draft}
      onSave={() =>
        id === undefined
          ? api.post('/realm/profile_fields', { field_type: type, ...changes })
          : api.patch(`/realm/profile_fields/${id}`, changes)
      }
      onClose={onClose}
    >
      {!field && (
        <FormChoice label={t('Type')} choices={typesIn(realm)} {...draft.choice('type')} />
      )}
      <ContentFields draft={draft} isKnownSite={isKnownSite} />
      <FormCheck
        label={t('Required: people are asked to fill it in')}
        {...draft.check('isRequired')}
      />
      <FormCheck label={t('Users can edit it themselves')} {...draft.check('isEditable')} />
      {!notInSummary.includes(type) && (
        <FormCheck
          label={t('Show on user card')}
          parameter="display_in_profile_summary"
          {...draft.check('isInSummary')}
        />
      )}
    </FormDialog>
  )
}

function typesIn({ custom_profile_field_types }: Realm): Choice<number>[] {
  return Object.values(custom_profile_field_types).map(({ id, name }) => ({
    value: id,
    label: tSent(name),
  }))
}

function firstValues(field: ProfileField | undefined, realm: Realm): FieldValues {
  return {
    type: field?.type ?? typesIn(realm)[0]?.value ?? 1,
    name: field?.name ?? '',
    hint: field?.hint ?? '',
    options: firstOptions(field),
    site: firstSite(field, realm.realm_default_external_accounts),
    isInSummary: field?.display_in_profile_summary ?? false,
    isRequired: field?.required ?? false,
    isEditable: field?.editable_by_user ?? true,
  }
}

function changesOf(values: FieldValues, isKnownSite: boolean) {
  const { type, name, hint, options, site, isInSummary, isRequired, isEditable } = values
  return {
    ...(!isKnownSite && { name: name.trim(), hint }),
    ...(type === listType && { field_data: optionsToWire(options) }),
    ...(type === accountType && { field_data: siteToWire(site) }),
    display_in_profile_summary: isInSummary && !notInSummary.includes(type),
    required: isRequired,
    editable_by_user: isEditable,
  }
}

interface ContentFieldsProps {
  readonly draft: FormDraft<FieldValues>
  readonly isKnownSite: boolean
}

/** The name of the field, and what its type asks for. */
function ContentFields({ draft, isKnownSite }: ContentFieldsProps) {
  const { type, site, options } = draft.values
  return (
    <>
      {type === accountType && <SiteFields site={site} onChange={draft.set('site')} />}
      {!isKnownSite && (
        <>
          <FormText label={t('Name')} parameter="name" {...draft.text('name')} isRequired />
          <FormText
            label={t('Hint')}
            help={t('Shown next to the field when people fill it in.')}
            parameter="hint"
            {...draft.text('hint')}
          />
        </>
      )}
      {type === listType && <OptionFields options={options} onChange={draft.set('options')} />}
    </>
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
}

function SiteFields({ site, onChange }: SiteFieldsProps) {
  const { store } = useApp()
  const sites = Object.entries(store.realm.value.realm_default_external_accounts)
  const isOwn = site.subtype === ownSite
  return (
    <>
      <FormChoice
        label={t('Site')}
        parameter={isOwn ? undefined : 'field_data'}
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
          parameter="field_data"
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
}

function OptionFields({ options, onChange }: OptionFieldsProps) {
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
        <div key={key} class="row tight">
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
      <Problem text={useProblem('field_data')} />
    </fieldset>
  )
}
