import { badRequest } from '#platform/errors.ts'
import {
  checkLinkifier,
  type LinkifiedText,
  linkify,
  reversesExample,
} from '#platform/markdown/linkifiers.ts'
import type { Read } from '#platform/store/store.ts'
import { inEnglish, type Sentence, sentSentence } from '#translations/translate.ts'
import { type Linkifier, listLinkifiers } from './queries.ts'

/** The properties of a linkifier that users set. */
export type LinkifierText = Omit<Linkifier, 'id' | 'position'>

/** Absent members keep their value, or their default in a new linkifier. Empty texts mean null. */
export interface LinkifierChanges extends Pick<LinkifierText, 'pattern' | 'urlTemplate'> {
  readonly exampleInput?: string | undefined
  readonly reverseTemplate?: string | undefined
  readonly alternativeUrlTemplates?: string[] | undefined
}

/** The defaults of a new linkifier. */
export const newLinkifier: LinkifierText = {
  pattern: '',
  urlTemplate: '',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
}

export function merge(before: LinkifierText, changes: LinkifierChanges): LinkifierText {
  const { exampleInput, reverseTemplate, alternativeUrlTemplates } = changes
  return {
    pattern: changes.pattern,
    urlTemplate: changes.urlTemplate,
    exampleInput: exampleInput === undefined ? before.exampleInput : exampleInput || null,
    reverseTemplate:
      reverseTemplate === undefined ? before.reverseTemplate : reverseTemplate || null,
    alternativeUrlTemplates: alternativeUrlTemplates ?? before.alternativeUrlTemplates,
  }
}

/** What is wrong, and with which parameter. */
interface LinkifierProblem {
  readonly said: Sentence
  readonly parameter: string
}

const problems = {
  'bad pattern': sentSentence('Invalid filter pattern, or one that this server does not support.'),
  'bad template': sentSentence('Invalid URL template.'),
  'names differ': sentSentence('The pattern and the URL template must have the same group names.'),
} as const

/**
 * The problem with a linkifier: an invalid pattern or template; a pattern that another one has;
 * groups that only the pattern or only a template has; a reverse template without an example input,
 * or one that does not reproduce it. Undefined: none.
 *
 * @param own the id of the linkifier that is being changed
 */
function problemOf(
  read: Read,
  text: LinkifierText,
  own: number | undefined,
): LinkifierProblem | undefined {
  const { pattern, exampleInput, reverseTemplate, alternativeUrlTemplates } = text
  for (const [index, urlTemplate] of [text.urlTemplate, ...alternativeUrlTemplates].entries()) {
    const verdict = pattern === '' ? 'bad pattern' : checkLinkifier({ pattern, urlTemplate })
    if (verdict === 'ok') continue
    const template = index === 0 ? 'url_template' : 'alternative_url_templates'
    return { said: problems[verdict], parameter: verdict === 'bad pattern' ? 'pattern' : template }
  }
  if (listLinkifiers(read).some((other) => other.id !== own && other.pattern === pattern)) {
    const said = sentSentence('A linkifier with this pattern already exists.')
    return { said, parameter: 'pattern' }
  }
  if (reverseTemplate === null) return undefined
  const parameter = 'reverse_template'
  if (exampleInput === null) {
    return { said: sentSentence('A reverse template needs an example input.'), parameter }
  }
  if (reversesExample(text, reverseTemplate, exampleInput)) return undefined
  const said = sentSentence('The reverse template does not reproduce the example input.')
  return { said, parameter }
}

/** @throws BAD_REQUEST as `problemOf` */
export function requireValid(read: Read, text: LinkifierText, own?: number): void {
  const problem = problemOf(read, text, own)
  if (problem) throw badRequest(problem.said, { parameter: problem.parameter })
}

/** The effect of a linkifier. */
export interface LinkifierPreview {
  /** Why it would be refused; null: it would not be. */
  readonly problem: string | null
  /** The links that it makes in its example input. */
  readonly links: LinkifiedText[]
}

/**
 * @param own the id of the linkifier that is being changed
 * @throws BAD_REQUEST no such linkifier
 */
export function previewLinkifier(
  read: Read,
  text: LinkifierText,
  own: number | undefined,
): LinkifierPreview {
  if (own !== undefined && !listLinkifiers(read).some(({ id }) => id === own)) {
    throw noSuchLinkifier()
  }
  const example = text.exampleInput ?? ''
  const problem = problemOf(read, text, own)
  return {
    problem: problem ? inEnglish(problem.said) : null,
    links: linkify(example, 0, example.length, [{ id: own ?? 0, ...text }]),
  }
}

export function noSuchLinkifier() {
  return badRequest(sentSentence('Linkifier not found.'), { parameter: 'filter_id' })
}
