import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { type FormDraft, useFormDraft } from '#client/settings/ui/form-draft.ts'
import { useSettled } from '#client/settings/ui/use-settled.ts'
import { t } from '#client/ui/t.ts'

/** The parts of a text that a linkifier turns into links. */
interface LinkedText {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly url: string
}

interface LinkifierPreview {
  readonly problem: string | null
  readonly links: readonly LinkedText[]
}

interface LinkifierValues {
  readonly pattern: string
  readonly template: string
  readonly example: string
  readonly reverse: string
  /** The alternative templates, one a line. */
  readonly others: string
}

interface LinkifierDialogProps {
  /** Undefined for a new one. */
  readonly id: number | undefined
  readonly onClose: () => void
}

/** Opens the form of a linkifier. @param id undefined for a new one */
export function openLinkifierDialog(id: number | undefined): void {
  openSurface((close) => <LinkifierDialog id={id} onClose={close} />)
}

function LinkifierDialog({ id, onClose }: LinkifierDialogProps) {
  const { store, api } = useApp()
  const linkifier = store.realm.value.realm_linkifiers.find((each) => each.id === id)
  const draft = useFormDraft<LinkifierValues>(`linkifier ${id}`, {
    pattern: linkifier?.pattern ?? '',
    template: linkifier?.url_template ?? '',
    example: linkifier?.example_input ?? '',
    reverse: linkifier?.reverse_template ?? '',
    others: linkifier?.alternative_url_templates?.join('\n') ?? '',
  })
  const params = toWire(draft.values)
  return (
    <FormDialog
      title={linkifier ? t('Edit linkifier') : t('Add linkifier')}
      action={linkifier ? t('Save') : t('Add')}
      draft={draft}
      onSave={() =>
        id === undefined
          ? api.post('/realm/filters', params)
          : api.patch(`/realm/filters/${id}`, params)
      }
      onClose={onClose}
    >
      <LinkFields draft={draft} />
      <LivePreview params={{ filter_id: id, ...params }} />
      <ReverseFields draft={draft} />
    </FormDialog>
  )
}

function toWire({ pattern, template, example, reverse, others }: LinkifierValues) {
  return {
    pattern: pattern.trim(),
    url_template: template.trim(),
    example_input: example,
    reverse_template: reverse.trim(),
    alternative_url_templates: others.split('\n').flatMap((line) => line.trim() || []),
  }
}

interface FieldsProps {
  readonly draft: FormDraft<LinkifierValues>
}

/** The fields that turn texts into links. */
function LinkFields({ draft }: FieldsProps) {
  return (
    <>
      <FormText
        label={t('Pattern')}
        help={t('A regular expression (RE2) with named groups: {example}', {
          example: '#(?P<id>[0-9]+)',
        })}
        parameter="pattern"
        {...draft.text('pattern')}
        isCode
        isRequired
      />
      <FormText
        label={t('URL template')}
        help={t('With group names in braces: {example}', {
          example: 'https://issues.example.com/{id}',
        })}
        parameter="url_template"
        {...draft.text('template')}
        isCode
        isRequired
      />
      <FormText
        label={t('Example')}
        help={t('Example text to test it with. It is saved with the linkifier.')}
        parameter="example_input"
        {...draft.text('example')}
      />
    </>
  )
}

/** The fields that turn pasted links into texts. */
function ReverseFields({ draft }: FieldsProps) {
  const { reverse, others } = draft.values
  return (
    <details class="fold" open={reverse !== '' || others !== ''}>
      <summary>{t('Reverse linkifier')}</summary>
      <div class="form">
        <FormText
          label={t('Text of a pasted link')}
          help={t('Such as {example}. The example text has to have this form.', {
            example: '#{id}',
          })}
          parameter="reverse_template"
          {...draft.text('reverse')}
          isCode
        />
        <FormText
          label={t('Alternative URL templates')}
          help={t('One a line.')}
          parameter="alternative_url_templates"
          {...draft.text('others')}
          isCode
          isLong
        />
      </div>
    </details>
  )
}

/** The effect of the linkifier on its example, from the server. */
function LivePreview({ params }: { readonly params: object }) {
  const { api } = useApp()
  const settled = useSettled(JSON.stringify(params))
  const [shown, setShown] = useState<LinkifierPreview & { readonly example: string }>()
  useEffect(() => {
    const asked = JSON.parse(settled) as { pattern: string; example_input: string }
    if (asked.pattern === '') {
      setShown(undefined)
      return
    }
    let isCurrent = true
    const show = (preview: LinkifierPreview) => {
      if (isCurrent) setShown({ ...preview, example: asked.example_input })
    }
    api
      .post<LinkifierPreview>('/realm/linkifiers/preview', asked)
      .then(show, (error: unknown) => show({ problem: problemOf(error), links: [] }))
    return () => {
      isCurrent = false
    }
  }, [settled])
  return (
    <section class="stack tight linkifier-preview" aria-label={t('Preview')} aria-live="polite">
      <span class="field-label">{t('Preview')}</span>
      {shown ? <Result {...shown} /> : <p class="field-help">{t('Enter a pattern.')}</p>}
    </section>
  )
}

function Result({ problem, links, example }: LinkifierPreview & { readonly example: string }) {
  if (problem !== null) return <p class="field-problem">{problem}</p>
  if (example.trim() === '')
    return <p class="field-help">{t('Enter an example to test it with.')}</p>
  if (links.length === 0) return <p class="field-help">{t('Nothing in the example matches.')}</p>
  return (
    <>
      <p>
        {links.map(({ start, text, url }, index) => (
          <Fragment key={start}>
            {example.slice(links[index - 1]?.end ?? 0, start)}
            <a href={url} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          </Fragment>
        ))}
        {example.slice(links.at(-1)?.end)}
      </p>
      <ul class="field-help">
        {links.map(({ start, url }) => (
          <li key={start}>{url}</li>
        ))}
      </ul>
    </>
  )
}
