/** The rows that a layout of a list shows now, which the head of the list and the preview use. */
import { useEffect, useState } from 'preact/hooks'
import type { Row } from '../describe.ts'

export interface ShownRows {
  rows: readonly Row[]
  /** The number of rows of all pages; `null` while it is not known. */
  total: number | null
  reload: () => void
}

const nothing: ShownRows = { rows: [], total: null, reload: () => undefined }

export type Report = (shown: ShownRows) => void

export function useShownRows(): [ShownRows, Report] {
  return useState(nothing)
}

/** Reports the shown rows whenever they change. */
export function useReport(report: Report, shown: ShownRows): void {
  useEffect(() => report(shown), [shown.rows, shown.total])
}
