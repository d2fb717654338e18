/** Describes the outcome for many rows in a sentence: how many were changed, how many not, and why. */
import { errorIn, type Problem } from '../api.ts'
import { text } from '../text/text.ts'
import type { BulkReport } from './bulk-request.ts'

/** The maximum number of reasons in the sentence. */
const maxReasons = 2

/** @param reports of one change, which may take several requests */
export function resultOf(reports: readonly BulkReport[]): string {
  const sum = (count: 'done' | 'failed') => reports.reduce((all, report) => all + report[count], 0)
  const failed = reports.flatMap(({ rows }) => rows.filter(({ status }) => status === 'failed'))
  const reasons = [...new Set(failed.map(({ error }) => reasonOf(error)))].filter((reason) => reason !== '')
  const counts = text.list.partly(sum('done'), sum('failed'))
  return [counts, ...reasons.slice(0, maxReasons)].join(' ') + (reasons.length > maxReasons ? ' …' : '')
}

/** @returns the reason in the language of the page */
export function reasonOf(problem: Problem = {}): string {
  const { faults, message } = errorIn(problem, { status: 0 })
  return faults.length > 0 ? `${faults.map(({ reason }) => reason).join('; ')}.` : message
}
