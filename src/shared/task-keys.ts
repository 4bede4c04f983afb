/**
 * The key by which clients know a task of a to-do list: `<index>,canned` for the first ones, else
 * `<index>,<user id>`, the other way round than the options of a poll. Parley once wrote both like
 * options; such a key is turned round, unless there is a task with it as it is.
 *
 * @param isTask whether the list has a task with this key; asked only if both parts are numbers
 */
export function taskKey(key: string, isTask: (key: string) => boolean): string {
  const [first = '', second = ''] = key.split(',')
  const turned = `${second},${first}`
  if (first === 'canned') return turned
  if (second === 'canned' || isTask(key)) return key
  return isTask(turned) ? turned : key
}
