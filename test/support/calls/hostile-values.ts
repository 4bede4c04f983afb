// What test/hostile.test.ts calls the values that some parameters rightly take.

export const emptyList = ['an empty list']
export const minusOne = ['minus one']
export const noValue = ['null']
/** What looks like a list of words. */
export const someWords = [...emptyList, 'a list of toString']
/** Where an anchor lies beyond the messages that there are. */
export const beyond = ['more than is safe', ...minusOne]
export const emptyObject = ['an empty object']
/** Keys that nobody asked for are left out. */
export const looseObjects = [...emptyObject, 'a __proto__ key', 'a constructor key']
/** Names of one word. */
export const names = [
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'null',
  'infinity',
  'more than is safe',
]
export const decimals = ['a fraction']
export const hexadecimals = ['more than is safe', 'a huge integer']
