import type { Question } from '../database/schema/decisions.ts'

/** What the definitions do not say, and the arguments that say it. */
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
