/** What a layout of a list shows at the moment, for what stands around it: the head, and the panel beside it. */
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

/** Says what is shown whenever it is something else. */
export function useReport(report: Report, shown: ShownRows): void {
  useEffect(() => report(shown), [shown.rows, shown.total])
}
