import { readFileSync } from 'node:fs'
import { evaluate } from './evaluate.ts'
import { assetNames } from './names.ts'

// Fails if V8 does not take the recorded code. Arguments: the program, and its code.

const [program = '', cache = ''] = process.argv.slice(2)
const source = readFileSync(program, 'latin1')
const { script } = evaluate(source, assetNames.program, require, readFileSync(cache))
if (script.cachedDataRejected) throw new Error('V8 refuses the code that it has just compiled.')
