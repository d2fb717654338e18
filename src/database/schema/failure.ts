/**
 * Errors in definitions and migrations. They are separate, so that the command line knows them without loading more.
 */
import type { Question } from './decisions.ts'

/** A file in the folder of migrations is not what it has to be. */
export class MigrationFileError extends Error {}

/** The migrations of an application do not make the tables that its features declare. */
export class TablesDiffer extends Error {}

/** The definitions do not say what is to be done. The message names the arguments that do. */
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
