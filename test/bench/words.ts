const syllables = 'ba ce do fi gu ha jo ke li mo nu pa qui ro se ti vu wa xe yo'.split(' ')
const vocabularySize = 20_000

const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => {
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]
  }
  return word
})

/** A number below `count`, each the rarer the larger it is, as words and channels are (Zipf). */
export function unevenIndex(random: () => number, count: number): number {
  return Math.min(count - 1, Math.floor(count ** random()) - 1 + Math.floor(random() * 1.5))
}

/** Made-up chat text, of 3 to 30 words that occur as often as words do. */
export function sentence(random: () => number): string {
  const length = 3 + Math.floor(random() ** 2 * 28)
  const words: string[] = []
  for (let i = 0; i < length; i++) words.push(vocabulary[unevenIndex(random, vocabularySize)] ?? '')
  return `${words.join(' ')}.`
}
