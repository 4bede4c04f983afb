/** The oldest release of Node that runs the program: `engines` in package.json says the same. */
const oldest = [22, 14] as const

/**
 * What is wrong with a release of Node, in a sentence for the operator; undefined: nothing. Load
 * nothing else before, because the native addon ends an older Node without a message.
 */
export function nodeProblem(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `Parley needs Node ${oldest.join('.')} or newer, but this is ${version}. Get the newest from https://nodejs.org.`
}
