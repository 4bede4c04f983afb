import { folding, longestWord } from '#platform/store/search-text.ts'

const { alike, emojiSign, longestForm, optional, pieces, unbroken, units, unlike } = folding

/** The digits of numbers in the index, by their values. */
export const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The script of the page that searches an archive. It loads the scripts of the index that it needs, and
 * puts the texts of people in as text.
 */
export const searchScript = `'use strict'
{
// Words, as the index has them: see searchText.
const alike = ${JSON.stringify(alike)}
const fold = (text) => text.normalize('NFD').replace(${optional}, '').normalize('NFC')
  .replace(${unlike}, (letter) => alike[letter] ?? '')
const prepare = (unit) => {
  const form = unit.normalize('NFKC')
  const short = form.length > Math.max(${longestForm}, unit.length) ? unit : form
  return fold(short.toLowerCase()).replace(${unbroken}, ' $& ')
}
const codeOf = (emoji) => [...emoji.replace(/\\p{EMod}|\\ufe0f/gu, '')]
  .map((each) => each.codePointAt(0).toString(16).padStart(4, '0') + 'x').join('')
const formOf = ({ 0: piece, groups }) => {
  if (groups.before !== undefined) return piece + ' '
  if (groups.behind !== undefined) return ' ' + piece
  if (groups.emoji === undefined) return prepare(piece)
  if (piece.startsWith(':')) return piece.replace(${units}, prepare)
  return ' ${emojiSign}' + codeOf(piece) + ' '
}
const wordsOf = (text) => {
  let made = ''
  let done = 0
  for (const piece of text.matchAll(${pieces})) {
    made += text.slice(done, piece.index) + formOf(piece)
    done = piece.index + piece[0].length
  }
  made += text.slice(done)
  const words = made.toLowerCase().match(/[\\p{L}\\p{N}\\p{Co}\\p{M}]+/gu) ?? []
  return words.map((word) => word.slice(0, ${longestWord}))
}

// The index. A page on a disk can load scripts only.
const values = new Map()
const loading = new Map()
globalThis.archive = { put: (name, value) => void values.set(name, value) }
const load = (name) => {
  const known = loading.get(name)
  if (known) return known
  const loaded = new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = 'search/' + name + '.js'
    script.onload = () => resolve(values.get(name))
    script.onerror = () => {
      loading.delete(name)
      reject(new Error(name))
    }
    document.head.append(script)
  })
  loading.set(name, loaded)
  return loaded
}

/** Whether a word comes before another by its code points, as the index is sorted. */
const isBefore = (a, b) => {
  const [x, y] = [[...a], [...b]]
  const at = x.findIndex((each, i) => each !== y[i])
  if (at < 0) return x.length < y.length
  return y[at] !== undefined && x[at].codePointAt(0) < y[at].codePointAt(0)
}

/** Calls a function with the number of each message that has a word. */
const eachNumber = (numbers, call) => {
  let last = -1
  let value = 0
  let shift = 0
  for (let i = 0; i < numbers.length; i++) {
    const digit = digits.get(numbers[i])
    value += (digit & 31) << shift
    shift += 5
    if (digit > 31) continue
    last += value
    call(last)
    value = shift = 0
  }
}
const digits = new Map([...'${digits}'].map((digit, i) => [digit, i]))

/** Marks the messages that have a word, or one that begins with it. */
const findWord = async (index, word, isBeginning) => {
  const found = new Uint8Array(index.count)
  // The last script that begins with a smaller word, or the word itself, and those after it.
  let part = index.firsts.findLastIndex((first) => !isBefore(word, first))
  const parts = []
  for (part = Math.max(part, 0); part < index.firsts.length; part++) {
    const first = index.firsts[part]
    if (isBefore(word, first) && !(isBeginning && first.startsWith(word))) break
    parts.push(load('w' + (part + 1)))
  }
  for (const words of await Promise.all(parts)) {
    for (let i = 0; i < words.length; i += 2) {
      if (isBeginning ? words[i].startsWith(word) : words[i] === word) {
        eachNumber(words[i + 1], (number) => { found[number] = 1 })
      }
    }
  }
  return found
}

/** The numbers of the messages that have all words, newest first. */
const find = async (index, words) => {
  const sets = await Promise.all(
    words.map((word, i) => findWord(index, word, i === words.length - 1)),
  )
  const numbers = []
  for (let number = index.count - 1; number >= 0; number--) {
    if (sets.every((set) => set[number] === 1)) numbers.push(number)
  }
  return numbers
}

// What people see.
const element = (id) => document.getElementById(id)
const [field, status, results, more] = ['words', 'status', 'results', 'more'].map(element)
const inText = new RegExp('${escapedSource(unbroken)}|(?:(?!${escapedSource(unbroken)})[\\\\p{L}\\\\p{N}\\\\p{Co}\\\\p{M}])+', 'gu')
const around = 100

/** The places in a text that match. */
const matchesIn = (text, words) => {
  const beginning = words.at(-1)
  const matches = (word) => words.includes(word) || word.startsWith(beginning)
  return [...text.matchAll(inText)].filter((each) => wordsOf(each[0]).some(matches))
}

/** The text around the first match, with all matches in it marked. */
const excerpt = (text, words) => {
  const line = document.createElement('p')
  const found = matchesIn(text, words)
  const first = found[0]?.index ?? 0
  const from = first <= around ? 0 : Math.max(text.lastIndexOf(' ', first - around / 2) + 1, first - around)
  const to = from + 3 * around >= text.length ? text.length : from + 3 * around
  if (from > 0) line.append('… ')
  let done = from
  for (const { 0: word, index } of found) {
    if (index < done || index + word.length > to) continue
    const mark = document.createElement('mark')
    mark.textContent = word
    line.append(text.slice(done, index), mark)
    done = index + word.length
  }
  line.append(text.slice(done, to).toWellFormed?.() ?? text.slice(done, to))
  if (to < text.length) line.append(' …')
  return line
}

const result = ({ names, rows }, at, words) => {
  const [id, page, place, sender, sentAt, text] = rows[at]
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = names[page] + '#m' + id
  link.textContent = names[place]
  const time = document.createElement('time')
  time.dateTime = new Date(sentAt * 1000).toISOString()
  time.textContent = time.dateTime.slice(0, 16).replace('T', ' ')
  const details = document.createElement('small')
  details.append(names[sender], ', ', time)
  item.append(link, ' ', details, excerpt(text, words))
  return item
}

const shownAtOnce = 25
/** The latest search: what is found of an earlier one is not shown. */
let latest = 0

const show = async (index, numbers, words, from, search) => {
  const items = await Promise.all(numbers.slice(from, from + shownAtOnce).map(async (number) => {
    const part = await load('m' + (Math.floor(number / index.messagesInPart) + 1))
    return result(part, number % index.messagesInPart, words)
  }))
  if (search !== latest) return
  if (from === 0) results.replaceChildren(...items)
  else {
    results.append(...items)
    items[0]?.querySelector('a').focus()
  }
  const end = from + items.length
  more.hidden = end >= numbers.length
  more.onclick = () => void attempt(() => show(index, numbers, words, end, search))
  status.textContent = numbers.length === 1 ? '1 message' : numbers.length + ' messages'
}

const clear = (text) => {
  results.replaceChildren()
  more.hidden = true
  status.textContent = text
}

const attempt = async (act) => {
  try {
    await act()
  } catch {
    clear('The index of the archive is incomplete.')
  }
}

const search = async () => {
  const own = ++latest
  try {
    history.replaceState(null, '', '#' + encodeURIComponent(field.value))
  } catch {
    // A browser may refuse it; the search works all the same.
  }
  const words = wordsOf(field.value)
  const index = await load('index')
  if (words.length === 0) return own === latest && clear('')
  const numbers = await find(index, words)
  if (own === latest) await show(index, numbers, words, 0, own)
}

let timer
const soon = (delay) => {
  clearTimeout(timer)
  timer = setTimeout(() => void attempt(search), delay)
}
field.addEventListener('input', () => soon(150))
field.form.addEventListener('submit', (event) => {
  event.preventDefault()
  soon(0)
})
const start = () => {
  try {
    field.value = decodeURIComponent(location.hash.slice(1))
  } catch {
    field.value = ''
  }
  soon(0)
}
addEventListener('hashchange', start)
start()
}
`

/** The source of an expression within a string of the script. */
function escapedSource({ source }: RegExp): string {
  return source.replaceAll('\\', '\\\\')
}
