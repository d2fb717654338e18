/**
 * Errors in definitions and migrations. They have a file of their own, so that the command line can recognize them
 * without loading the code that throws them.
 */
import type { Question } from './decisions.ts'

/** A file in the folder of migrations has a wrong name or content. */
export class MigrationFileError extends Error {}

/** The migrations of an application do not make the tables that its features declare. */
export class TablesDiffer extends Error {}

/** The definitions leave open what a migration has to do. The message names the arguments that decide it. */
export class UndecidedChange extends Error {
  constructor(questions: readonly Question[]) {
    const parts = questions.map(({ text, answers }) => {
      const width = Math.max(0, ...answers.map(({ argument }) => argument.length))
      const lines = answers.map(({ argument, meaning }) => `\n  ${argument.padEnd(width)}  if ${meaning}`)
      return `${text}${lines.join('')}`
    })
    super(`Nothing is written, because the definitions do not say what to do.\n${parts.join('\n')}`)
  }
}
