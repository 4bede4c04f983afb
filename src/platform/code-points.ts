import * as v from 'valibot'

/** Whether a text has at most so many Unicode code points. */
export function fitsIn(text: string, most: number): boolean {
  // A text never has more code points than UTF-16 units, so short texts need no counting.
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most)
}

/** What a schema says about its texts beyond its checks. */
interface TextMeasure {
  /** The most Unicode code points, where UTF-16 units do not count. */
  readonly points?: number
  /** The same for the API description alone, where the code that tidies the text refuses more. */
  readonly documented?: number
}

/** The most code points of a text, for the API description. JSON Schema counts in these. */
export const measured = ({ metadata }: { readonly metadata: object }): number | undefined => {
  const { points, documented } = metadata as TextMeasure
  return points ?? documented
}

/** A text of at most so many Unicode code points. */
export function codePoints(most: number, problem = 'Too long', noText = problem) {
  return v.pipe(
    v.string(noText),
    v.maxLength(2 * most, problem),
    v.check((text) => fitsIn(text, most), problem),
    v.metadata({ points: most }),
  )
}
