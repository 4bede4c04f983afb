import { testHistories } from './histories.ts'

testHistories(12, 80)
