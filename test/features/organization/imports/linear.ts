import { assertProportional } from '#test/support/limits/proportional.ts'
import { stepsOf } from '#test/support/limits/steps.ts'

/** Requires that a repetition that is twice as long takes about twice the work. */
export async function assertLinear(
  piece: string,
  convert: (text: string) => unknown,
): Promise<void> {
  const steps: number[] = []
  for (const length of [5000, 10_000]) {
    const text = piece.repeat(Math.ceil(length / piece.length))
    steps.push(await stepsOf(() => convert(text)))
  }
  const [half = 0, whole = 0] = steps
  assertProportional(piece, half, whole)
}
