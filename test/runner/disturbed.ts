import { type FileResult, failureOf, type Report } from './report.ts'
import { runFiles, type WorkerOptions } from './workers.ts'

/*
 * Stories in a browser share its time with all that runs beside them, and a page that gets none for
 * seconds does what no person would see. So a few of them that fail run once more, alone. What fails there
 * too has failed; what passes is named, because a story that often needs this has something to mend.
 */

/** With more than so many, something is broken. */
const most = 5

/** Whether other work can disturb a file. */
const isStory = (file: string) => file.endsWith('.long.test.ts') || file.includes('/browser/')

export interface Disturbed {
  /** Keeps a result back, if its file runs again. */
  take(result: FileResult): boolean
  /** Once nothing else runs: runs again what was kept, and reports it. */
  runAlone(options: WorkerOptions, report: Pick<Report, 'add' | 'remark'>): Promise<void>
}

/**
 * @param count of the files of this run: one that runs alone has had its chance
 * @param mayBe whether a file is of a kind that runs again
 */
export function createDisturbed(count: number, mayBe = isStory): Disturbed {
  const kept: FileResult[] = []
  return {
    take(result) {
      if (count === 1 || !mayBe(result.file) || !failureOf(result)) return false
      kept.push(result)
      return true
    },
    async runAlone(options, report) {
      if (kept.length > most) {
        for (const result of kept) report.add(result)
        return
      }
      const files = kept.map(({ file }) => file)
      await runFiles(files, options, (result) => {
        const first = kept.find(({ file }) => file === result.file)
        const why = first && failureOf(result) === undefined ? failuresIn(first) : undefined
        if (why) report.remark(`⚠ ${result.file} passed only alone; beside others failed: ${why}`)
        report.add(result)
      })
    },
  }
}

/** What failed in a file, by name, and how. */
function failuresIn({ results, failure }: FileResult): string {
  const own = results.flatMap((each) =>
    each.outcome === 'fail' && !each.isSuite
      ? [told(each.names.join(' › '), each.failure?.text)]
      : [],
  )
  return [...own, ...(failure ? [failure.text] : [])].join('; ')
}

/** The first line of what a failure says is enough to tell a wait that was too short from a wrong answer. */
function told(name: string, text = ''): string {
  const [line = ''] = text.trim().split('\n')
  return line ? `${name} (${line.trim()})` : name
}
